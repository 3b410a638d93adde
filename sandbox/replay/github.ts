import type { LoopbackAnswer } from '../loopback.ts'
import { segmentsOf, type Replay, type ReplayRequest } from './replay.ts'
import { repositoryOf, shaOf, timeAt, type Repository } from './repositories.ts'

const branch = 'main'
const dayMs = 86_400_000

/** GitHub's REST interface, for the repositories of the sandbox. */
export const github: Replay = {
  name: 'GITHUB',
  notFound: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
  answer(request, { now }) {
    const answer = answerOf(request, now)
    return answer === undefined ? undefined : { ...answer, headers: { ...limitsAt(now), ...answer.headers } }
  },
}

type Answer = (repository: Repository, request: ReplayRequest, now: Date, rest: readonly string[]) => LoopbackAnswer

/** What follows `/repos/{owner}/{name}`, by its first word or two. */
const answers: Readonly<Record<string, Answer>> = {
  '': (repository, _, now) => json(repositoryBody(repository, now)),
  'community/profile': (repository, _, now) => json(communityBody(repository, now)),
  'git/trees': (repository) => json(treeBody(repository)),
  'actions/runs': (repository, request, now) => runsAnswer(repository, request, now),
  'actions/workflows': (repository) => json(workflowsBody(repository)),
  'stats/participation': (repository, _, now) => json({ all: weeksOf(repository, now), owner: Array(52).fill(0) }),
  'rules/branches': (repository) =>
    json(repository.protectedBranch ? ['deletion', 'non_fast_forward', 'pull_request'].map((type) => ({ type })) : []),
  branches: (repository, _, __, rest) => branchAnswer(repository, rest),
  commits: (repository, request, now) => page(request, commitsOf(repository, request.query, now)),
  contributors: (repository, request) => page(request, contributorsOf(repository)),
  releases: (repository, request, now) => page(request, releasesOf(repository, now)),
  tags: (repository, request) => page(request, tagsOf(repository)),
  issues: (repository, request, now) => page(request, issuesOf(repository, request.query, now)),
  pulls: (repository, request, now) => page(request, pullsOf(repository, request.query, now)),
  languages: (repository) => json({ [repository.language]: 12_000 }),
  topics: (repository) => json({ names: repository.topics }),
  license: (repository) => (repository.license === null ? missing : json(licenseBody(repository))),
  readme: (repository) => readmeAnswer(repository),
  contents: (repository, _, __, rest) => contentsAnswer(repository, rest.join('/')),
}

const missing: LoopbackAnswer = { status: 404, body: github.notFound }

function answerOf(request: ReplayRequest, now: Date): LoopbackAnswer | undefined {
  const [root, owner, name, first = '', second = '', ...rest] = segmentsOf(request.path)
  if (root === 'rate_limit') return json({ resources: { core: coreLimit(now) }, rate: coreLimit(now) })
  const repository = root === 'repos' ? repositoryOf(owner, name) : undefined
  if (repository === undefined) return undefined
  const both = answers[`${first}/${second}`]
  if (both !== undefined) return both(repository, request, now, rest)
  return answers[first]?.(repository, request, now, second === '' ? [] : [second, ...rest])
}

function json(body: unknown): LoopbackAnswer {
  return { status: 200, body }
}

function coreLimit(now: Date): Readonly<Record<string, number>> {
  return { limit: 5000, used: 12, remaining: 4988, reset: Math.floor(now.getTime() / 1000) + 1800 }
}

function limitsAt(now: Date): Readonly<Record<string, string>> {
  const limits = Object.entries(coreLimit(now)).map(([name, value]) => [`x-ratelimit-${name}`, String(value)])
  return {
    ...Object.fromEntries(limits),
    'x-ratelimit-resource': 'core',
    'x-github-api-version-selected': '2022-11-28',
  }
}

/** One page of the list, with the links that GitHub gives to the others. */
function page({ path, query }: ReplayRequest, list: readonly unknown[]): LoopbackAnswer {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  const number = Number(query.get('page') ?? 1)
  const last = Math.max(1, Math.ceil(list.length / size))
  const linkTo = (target: number, rel: string): string => {
    const others = new URLSearchParams(query)
    others.set('page', String(target))
    return `<https://api.github.com${path}?${others.toString()}>; rel="${rel}"`
  }
  const links = [
    ...(number < last ? [linkTo(number + 1, 'next'), linkTo(last, 'last')] : []),
    ...(number > 1 ? [linkTo(1, 'first'), linkTo(number - 1, 'prev')] : []),
  ]
  return {
    status: 200,
    headers: links.length === 0 ? {} : { link: links.join(', ') },
    body: list.slice((number - 1) * size, number * size),
  }
}

function userOf(login: string, isBot: boolean): Readonly<Record<string, unknown>> {
  const id = Number.parseInt(shaOf(login).slice(0, 6), 16)
  return { login, id, type: isBot ? 'Bot' : 'User', html_url: `https://github.com/${login}` }
}

function fullNameOf({ owner, name }: Repository): string {
  return `${owner}/${name}`
}

function licenseBody(repository: Repository): Readonly<Record<string, unknown>> {
  return { name: 'LICENSE', path: 'LICENSE', size: 1_070, license: repository.license }
}

function repositoryBody(repository: Repository, now: Date): Readonly<Record<string, unknown>> {
  const { id, owner, name, description, homepage, topics, language, stars, forks, watchers, archived } = repository
  return {
    id,
    name,
    full_name: fullNameOf(repository),
    private: false,
    owner: { login: owner, id: 900_000_000, type: 'Organization' },
    html_url: `https://github.com/${fullNameOf(repository)}`,
    description: description === '' ? null : description,
    fork: false,
    url: `https://api.github.com/repos/${fullNameOf(repository)}`,
    created_at: timeAt(now, repository.ageDays),
    updated_at: timeAt(now, repository.idleDays),
    pushed_at: timeAt(now, repository.idleDays),
    homepage,
    size: 1_024,
    stargazers_count: stars,
    watchers_count: stars,
    language,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: forks,
    archived,
    disabled: false,
    open_issues_count: [...repository.issues, ...repository.pulls].filter(([, closed]) => closed === null).length,
    license: repository.license,
    topics,
    visibility: 'public',
    forks,
    default_branch: branch,
    network_count: forks,
    subscribers_count: watchers,
    sandbox: true,
  }
}

function communityBody(repository: Repository, now: Date): Readonly<Record<string, unknown>> {
  const fileAt = (path: string): unknown =>
    repository.files.some(([name]) => name.startsWith(path))
      ? { url: `https://api.github.com/repos/${fullNameOf(repository)}/contents/${path}`, html_url: null }
      : null
  return {
    health_percentage: repository.healthPercentage,
    description: repository.description === '' ? null : repository.description,
    documentation: repository.homepage,
    files: {
      code_of_conduct: fileAt('CODE_OF_CONDUCT.md'),
      code_of_conduct_file: fileAt('CODE_OF_CONDUCT.md'),
      contributing: fileAt('CONTRIBUTING.md'),
      issue_template: fileAt('.github/ISSUE_TEMPLATE'),
      pull_request_template: fileAt('.github/PULL_REQUEST_TEMPLATE.md'),
      license: repository.license,
      readme: fileAt('README.md'),
    },
    updated_at: timeAt(now, repository.idleDays),
    content_reports_enabled: false,
  }
}

function treeBody(repository: Repository): Readonly<Record<string, unknown>> {
  const folders = new Set(
    repository.files.flatMap(([path]) => {
      const parts = path.split('/').slice(0, -1)
      return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'))
    }),
  )
  const tree = [
    ...[...folders].map((path) => ({ path, mode: '040000', type: 'tree', sha: shaOf(path) })),
    ...repository.files.map(([path, size]) => ({ path, mode: '100644', type: 'blob', sha: shaOf(path), size })),
  ]
  return { sha: shaOf(fullNameOf(repository)), tree, truncated: false }
}

/** Every commit of the default branch, newest first, by the people in the measure of their contributions. */
function historyOf(repository: Repository, now: Date): readonly { readonly date: string; readonly body: unknown }[] {
  const total = repository.people.reduce((sum, { contributions }) => sum + contributions, 0)
  const count = Math.min(total, Math.floor((repository.ageDays - repository.idleDays) / repository.daysBetweenCommits))
  return Array.from({ length: count }, (_, index) => {
    const date = timeAt(now, repository.idleDays + index * repository.daysBetweenCommits)
    // A step that shares no factor with the number of commits spreads the authors over the time.
    let place = (index * 37) % total
    const author = repository.people.find(({ contributions }) => (place -= contributions) < 0) ?? repository.people[0]
    const { login, bot } = author ?? { login: 'ada-demo', bot: false }
    const signature = { name: login, email: `${login}@users.noreply.github.com`, date }
    const sha = shaOf(`${fullNameOf(repository)} ${count - index}`)
    const user = userOf(login, bot)
    const commit = { author: signature, committer: signature, message: bot ? 'Bump a dependency' : 'Improve a detail' }
    return { date, body: { sha, commit, author: user, committer: user, parents: [] } }
  })
}

function commitsOf(repository: Repository, query: URLSearchParams, now: Date): readonly unknown[] {
  const since = query.get('since') ?? ''
  const until = query.get('until') ?? '9'
  return historyOf(repository, now)
    .filter(({ date }) => date >= since && date <= until)
    .map(({ body }) => body)
}

/** Commits of each of the last 52 weeks, the oldest first. */
function weeksOf(repository: Repository, now: Date): readonly number[] {
  const weeks = Array.from({ length: 52 }, () => 0)
  for (const { date } of historyOf(repository, now)) {
    const week = 51 - Math.floor((now.getTime() - Date.parse(date)) / (7 * dayMs))
    if (week >= 0) weeks[week] = (weeks[week] ?? 0) + 1
  }
  return weeks
}

function contributorsOf({ people }: Repository): readonly unknown[] {
  return people.map(({ login, bot, contributions }) => ({ ...userOf(login, bot), contributions }))
}

function versionOf({ releasedDaysAgo }: Repository, index: number): string {
  return `v1.${releasedDaysAgo.length - 1 - index}.0`
}

function releasesOf(repository: Repository, now: Date): readonly unknown[] {
  return repository.releasedDaysAgo.map((daysAgo, index) => ({
    id: repository.id + index,
    tag_name: versionOf(repository, index),
    name: versionOf(repository, index),
    draft: false,
    prerelease: false,
    created_at: timeAt(now, daysAgo),
    published_at: timeAt(now, daysAgo),
    body: 'Fixed what users reported and added what they asked for.',
    author: userOf('ada-demo', false),
    assets: [],
  }))
}

function tagsOf(repository: Repository): readonly unknown[] {
  return repository.releasedDaysAgo.map((_, index) => {
    const name = versionOf(repository, index)
    return { name, commit: { sha: shaOf(`${fullNameOf(repository)} ${name}`) } }
  })
}

type Thread = { readonly updated_at: string; readonly state: string } & Readonly<Record<string, unknown>>

function threadOf(number: number, title: string, opened: number, hours: number | null, now: Date): Thread {
  const closed = hours === null ? null : timeAt(now, opened, hours)
  const user = userOf('fumi-demo', false)
  const created_at = timeAt(now, opened)
  const state = closed === null ? 'open' : 'closed'
  return {
    id: number,
    number,
    title,
    user,
    state,
    created_at,
    updated_at: closed ?? created_at,
    closed_at: closed,
    comments: 1,
  }
}

function select(threads: readonly Thread[], query: URLSearchParams): readonly Thread[] {
  const state = query.get('state') ?? 'open'
  const since = query.get('since') ?? ''
  return threads
    .filter((thread) => (state === 'all' || thread.state === state) && thread.updated_at >= since)
    .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
}

function pullThreads(repository: Repository, now: Date): readonly Thread[] {
  return repository.pulls.map(([opened, hours], index) => {
    const thread = threadOf(200 + index, 'A change', opened, hours, now)
    return {
      ...thread,
      draft: false,
      merged_at: thread['closed_at'],
      base: { ref: branch },
      head: { ref: `change-${index}` },
    }
  })
}

/** As on GitHub, pull requests are among the issues. */
function issuesOf(repository: Repository, query: URLSearchParams, now: Date): readonly unknown[] {
  const issues = repository.issues.map(([opened, hours], index) =>
    threadOf(100 + index, 'A question', opened, hours, now),
  )
  const pulls = pullThreads(repository, now).map((pull) => ({
    ...pull,
    pull_request: { merged_at: pull['merged_at'] },
  }))
  return select([...issues, ...pulls], query)
}

function pullsOf(repository: Repository, query: URLSearchParams, now: Date): readonly unknown[] {
  return select(pullThreads(repository, now), query)
}

function runsAnswer(repository: Repository, { query }: ReplayRequest, now: Date): LoopbackAnswer {
  const runs = repository.runs.map((conclusion, index) => ({
    id: repository.id + index,
    name: 'ci',
    head_branch: branch,
    event: 'push',
    status: 'completed',
    conclusion,
    created_at: timeAt(now, repository.idleDays + index),
    updated_at: timeAt(now, repository.idleDays + index, 0.1),
  }))
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  return json({ total_count: runs.length, workflow_runs: runs.slice(0, size) })
}

function workflowsBody({ files }: Repository): Readonly<Record<string, unknown>> {
  const paths = files.map(([path]) => path).filter((path) => path.startsWith('.github/workflows/'))
  const workflows = paths.map((path, id) => ({ id, name: path.split('/').at(-1), path, state: 'active' }))
  return { total_count: workflows.length, workflows }
}

function branchAnswer(repository: Repository, [name]: readonly string[]): LoopbackAnswer {
  const body = { name: branch, commit: { sha: shaOf(branch) }, protected: repository.protectedBranch }
  if (name === undefined) return json([body])
  return name === branch ? json(body) : missing
}

function textAt(repository: Repository, path: string, size: number): string {
  return `# ${repository.name}\n\n${repository.description}\n\nThis stands in for ${path}.\n`.padEnd(
    size,
    'Invented text. ',
  )
}

function readmeAnswer(repository: Repository): LoopbackAnswer {
  return contentsAnswer(repository, 'README.md')
}

function contentsAnswer(repository: Repository, path: string): LoopbackAnswer {
  const file = repository.files.find(([name]) => name === path)
  if (file === undefined) return missing
  const content = Buffer.from(textAt(repository, path, file[1])).toString('base64')
  return json({
    type: 'file',
    encoding: 'base64',
    name: path.split('/').at(-1),
    path,
    size: file[1],
    sha: shaOf(path),
    content,
  })
}
