import { z } from 'zod'

import { UpstreamError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { HttpAnswer, HttpRequest } from '../http/client.ts'
import type { BoundHttp } from '../http/bound.ts'

/** Why GitHub has nothing to give; none of these is an outage. */
type GithubMiss =
  | { readonly kind: 'absent' | 'blocked' | 'empty' | 'pending' | 'refused' }
  | {
      readonly kind: 'limited'
      /** `quota` is the hourly allowance of our address or token, `secondary` a brake on bursts. */
      readonly limit: 'quota' | 'secondary'
      readonly retryAfterSeconds: number | null
    }

/** What GitHub answered: the thing asked for, or why there is none. */
type GithubAnswer<T> = { readonly kind: 'found'; readonly value: T } | GithubMiss

/** A repository. Description, homepage, topics and language are its owner's text: untrusted. */
type GithubRepository = {
  /** As GitHub spells it today; differs from what was asked after a rename. */
  readonly fullName: string
  readonly defaultBranch: string
  readonly stars: number
  readonly forks: number
  readonly watchers: number | null
  /** Pull requests included, as GitHub counts. */
  readonly openIssues: number
  readonly language: string | null
  readonly license: string | null
  readonly createdAt: Date
  readonly pushedAt: Date | null
  readonly archived: boolean
  readonly isFork: boolean
  readonly hasIssues: boolean
  readonly description: string
  readonly homepage: string
  readonly topics: readonly string[]
}

/** Which community files GitHub recognises, those inherited from the owner's `.github` repository included. */
type GithubProfile = {
  /** GitHub's percentage; null where only the files were told. */
  readonly health: number | null
  readonly codeOfConduct: boolean
  readonly contributing: boolean
  readonly issueTemplate: boolean
  readonly pullRequestTemplate: boolean
  readonly license: boolean
  readonly readme: boolean
  readonly securityPolicy: boolean | null
}

type GithubTree = {
  readonly files: readonly { readonly path: string; readonly size: number }[]
  readonly truncated: boolean
}

type GithubCommits = {
  /** Exact, or the least it can be where `isExact` is false. */
  readonly total: number
  readonly isExact: boolean
  /** The newest hundred. */
  readonly seen: readonly { readonly author: string; readonly isBot: boolean; readonly at: Date }[]
  /** The newest commit of the branch, however old; null where it was not told. */
  readonly newest: Date | null
}

type GithubContributors = {
  /** Exact, anonymous ones and bots included. */
  readonly total: number
  /** The hundred most active. */
  readonly people: readonly { readonly commits: number; readonly isBot: boolean }[]
}

type GithubRelease = { readonly at: Date; readonly hasNotes: boolean }
type GithubIssue = { readonly createdAt: Date; readonly closedAt: Date | null }
type GithubPull = { readonly createdAt: Date; readonly mergedAt: Date | null }

/** Everything one GraphQL question gives at once. */
type GithubOverview = {
  readonly repository: GithubRepository
  readonly profile: GithubProfile
  readonly commits: GithubCommits
  readonly releases: readonly GithubRelease[]
  /** Dated tags, newest first, for repositories that only tag. */
  readonly tags: readonly Date[]
  readonly issues: readonly GithubIssue[]
  readonly pulls: readonly GithubPull[]
  readonly rules: readonly string[]
  /** Null where GitHub does not let us see. */
  readonly isProtected: boolean | null
}

/** GitHub's public API. Each method is one request unless it says more; outages throw. @throws UpstreamError */
export type Github = {
  /** Whether a token is configured: 5,000 requests an hour instead of 60, and GraphQL. */
  readonly hasToken: boolean
  /** Needs a token. */
  readonly overview: (fullName: string, since: Date) => Promise<GithubAnswer<GithubOverview>>
  readonly repository: (fullName: string) => Promise<GithubAnswer<GithubRepository>>
  readonly profile: (fullName: string) => Promise<GithubAnswer<GithubProfile>>
  readonly tree: (fullName: string, branch: string) => Promise<GithubAnswer<GithubTree>>
  readonly commits: (fullName: string, since: Date) => Promise<GithubAnswer<GithubCommits>>
  /** One request more where there are over a hundred, to count them. */
  readonly contributors: (fullName: string) => Promise<GithubAnswer<GithubContributors>>
  readonly releases: (fullName: string) => Promise<GithubAnswer<readonly GithubRelease[]>>
  /** The names of the newest tags. */
  readonly tags: (fullName: string) => Promise<GithubAnswer<readonly string[]>>
  readonly issues: (fullName: string, since: Date) => Promise<GithubAnswer<readonly GithubIssue[]>>
  readonly pulls: (fullName: string) => Promise<GithubAnswer<readonly GithubPull[]>>
  /** How the last completed workflow runs of a branch ended. */
  readonly runs: (fullName: string, branch: string) => Promise<GithubAnswer<readonly string[]>>
  /** Commits per week, oldest first. Asks again up to three times while GitHub computes. */
  readonly participation: (fullName: string) => Promise<GithubAnswer<readonly number[]>>
  /** The types of the rules that hold on a branch. */
  readonly branchRules: (fullName: string, branch: string) => Promise<GithubAnswer<readonly string[]>>
  readonly isBranchProtected: (fullName: string, branch: string) => Promise<GithubAnswer<boolean>>
}

type GithubParts = {
  readonly http: BoundHttp
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly hasToken: boolean
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const
const redirects: readonly number[] = [301, 302, 307, 308]
const understood: readonly number[] = [...redirects, 401, 403, 404, 409, 410, 429, 451]
type Limits = Pick<HttpRequest, 'maxBytes' | 'timeoutMs'>

/** The recursive tree of a large repository has 7 MB and takes its time. */
const treeLimits: Limits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 8_000 }
/** A hundred issues or releases with their texts. */
const listLimits: Limits = { maxBytes: 8 * 1024 * 1024 }
const pageSize = 100
const pollWaitsMs: readonly number[] = [1_000, 2_000, 3_000]
/** A longer wait than this would cost the caller more than the answer is worth. */
const patienceSeconds = 3

/** Builds the client of GitHub. */
export function createGithub({ http, clock, signal, hasToken }: GithubParts): Github {
  type Found = { readonly kind: 'found'; readonly value: HttpAnswer }

  async function ask(path: string, limits: Limits = {}): Promise<Found | GithubMiss> {
    const first = await askOnce(path, limits)
    const waitSeconds = first.kind === 'limited' && first.limit === 'secondary' ? first.retryAfterSeconds : null
    if (waitSeconds === null || waitSeconds > patienceSeconds) return first
    await clock.sleep(waitSeconds * 1000, signal)
    return askOnce(path, limits)
  }

  async function askOnce(path: string, limits: Limits, hops = 0): Promise<Found | GithubMiss> {
    const answer = await http.request({
      path,
      headers,
      accept: understood,
      ...limits,
    })
    if (redirects.includes(answer.status)) {
      // A renamed repository answers with its number. Only the path is followed: the token stays with this service.
      const next = URL.parse(answer.headers['location'] ?? '', 'https://api.github.com')
      if (next === null || hops === 2) return { kind: 'absent' }
      return askOnce(next.pathname + next.search, limits, hops + 1)
    }
    return missOf(answer, clock.now()) ?? { kind: 'found', value: answer }
  }

  /** Asks and reads; a body of another form than the schema's is an outage. */
  async function read<T extends z.ZodType>(
    path: string,
    schema: T,
    limits: Limits = {},
  ): Promise<GithubAnswer<{ readonly body: z.output<T>; readonly lastPage: number | null }>> {
    const answer = await ask(path, limits)
    if (answer.kind !== 'found') return answer
    const body = parsed(schema, answer.value.body)
    return { kind: 'found', value: { body, lastPage: lastPageOf(answer.value.headers['link']) } }
  }

  async function overview(fullName: string, since: Date): Promise<GithubAnswer<GithubOverview>> {
    const [owner, name] = fullName.split('/')
    const answer = await http.request({
      method: 'POST',
      path: '/graphql',
      headers,
      accept: understood,
      ...listLimits,
      body: { query: overviewQuery, variables: { owner, name, since: since.toISOString() } },
    })
    const miss = missOf(answer, clock.now())
    if (miss !== undefined) return miss
    const { data, errors } = parsed(overviewAnswer, answer.body)
    const repository = data?.repository ?? null
    if (repository !== null) return { kind: 'found', value: overviewOf(repository) }
    // GraphQL tells its failures in a body of status 200.
    const types = errors?.map(({ type }) => type) ?? []
    if (types.includes('NOT_FOUND')) return { kind: 'absent' }
    if (types.includes('FORBIDDEN')) return { kind: 'refused' }
    if (types.includes('RATE_LIMITED')) {
      return { kind: 'limited', limit: 'quota', retryAfterSeconds: resetIn(answer.headers, clock.now()) }
    }
    throw new UpstreamError('github', undefined, { cause: errors })
  }

  async function contributors(fullName: string): Promise<GithubAnswer<GithubContributors>> {
    const path = `${repo(fullName)}/contributors?per_page=${pageSize}&anon=1`
    const first = await read(path, contributorsBody, listLimits)
    if (first.kind === 'empty') return { kind: 'found', value: { total: 0, people: [] } }
    if (first.kind !== 'found') return first
    const { body, lastPage } = first.value
    const people = body.map((person) => ({
      commits: person.contributions,
      isBot: person.type === 'Bot' || isBotName(person.login ?? person.name ?? ''),
    }))
    if (lastPage === null || lastPage < 2) return { kind: 'found', value: { total: people.length, people } }
    const last = await read(`${path}&page=${lastPage}`, contributorsBody, listLimits)
    if (last.kind !== 'found') return last
    return { kind: 'found', value: { total: (lastPage - 1) * pageSize + last.value.body.length, people } }
  }

  async function participation(fullName: string): Promise<GithubAnswer<readonly number[]>> {
    const path = `${repo(fullName)}/stats/participation`
    let answer = await read(path, z.object({ all: z.array(z.number().int()) }))
    for (const waitMs of pollWaitsMs) {
      if (answer.kind !== 'pending' || signal.aborted) break
      await clock.sleep(waitMs, signal)
      answer = await read(path, z.object({ all: z.array(z.number().int()) }))
    }
    return map(answer, ({ body }) => body.all)
  }

  return {
    hasToken,
    overview,
    repository: async (fullName) => map(await read(repo(fullName), repositoryBody), ({ body }) => repositoryOf(body)),
    profile: async (fullName) =>
      map(await read(`${repo(fullName)}/community/profile`, profileBody), ({ body }) => profileOf(body)),
    tree: async (fullName, branch) =>
      map(
        await read(`${repo(fullName)}/git/trees/${encodeURIComponent(branch)}?recursive=1`, treeBody, treeLimits),
        ({ body }) => ({
          truncated: body.truncated,
          files: body.tree.flatMap(({ type, path, size }) => (type === 'blob' ? [{ path, size: size ?? 0 }] : [])),
        }),
      ),
    commits: async (fullName, since) =>
      map(
        await read(
          `${repo(fullName)}/commits?since=${since.toISOString()}&per_page=${pageSize}`,
          commitsBody,
          listLimits,
        ),
        ({ body, lastPage }) => {
          const seen = body.map(commitOf)
          const isExact = lastPage === null
          return { seen, isExact, total: isExact ? seen.length : (lastPage - 1) * pageSize + 1, newest: null }
        },
      ),
    contributors,
    releases: async (fullName) =>
      map(await read(`${repo(fullName)}/releases?per_page=30`, releasesBody, listLimits), ({ body }) =>
        body.flatMap(releaseOf),
      ),
    tags: async (fullName) =>
      map(await read(`${repo(fullName)}/tags?per_page=30`, z.array(z.object({ name: z.string() }))), ({ body }) =>
        body.map(({ name }) => name),
      ),
    issues: async (fullName, since) =>
      map(
        await read(
          `${repo(fullName)}/issues?state=all&since=${since.toISOString()}&per_page=${pageSize}&sort=updated`,
          issuesBody,
          listLimits,
        ),
        ({ body }) =>
          body
            .filter(({ pull_request }) => pull_request === undefined || pull_request === null)
            .map(({ created_at, closed_at }) => ({ createdAt: created_at, closedAt: closed_at ?? null })),
      ),
    pulls: async (fullName) =>
      map(
        await read(
          `${repo(fullName)}/pulls?state=all&sort=updated&direction=desc&per_page=${pageSize}`,
          pullsBody,
          listLimits,
        ),
        ({ body }) => body.map(({ created_at, merged_at }) => ({ createdAt: created_at, mergedAt: merged_at ?? null })),
      ),
    runs: async (fullName, branch) =>
      map(
        await read(
          `${repo(fullName)}/actions/runs?branch=${encodeURIComponent(branch)}&status=completed&per_page=30`,
          runsBody,
          listLimits,
        ),
        ({ body }) => body.workflow_runs.flatMap(({ conclusion }) => conclusion ?? []),
      ),
    participation,
    branchRules: async (fullName, branch) =>
      map(
        await read(
          `${repo(fullName)}/rules/branches/${encodeURIComponent(branch)}`,
          z.array(z.object({ type: z.string() })),
        ),
        ({ body }) => body.map(({ type }) => type),
      ),
    isBranchProtected: async (fullName, branch) =>
      map(
        await read(`${repo(fullName)}/branches/${encodeURIComponent(branch)}`, z.object({ protected: z.boolean() })),
        ({ body }) => body.protected,
      ),
  }
}

/** What a status says when it is not the thing asked for. @throws UpstreamError when the token is refused. */
function missOf(answer: HttpAnswer, now: number): GithubMiss | undefined {
  if (answer.status === 401) {
    throw new UpstreamError('github', 'GitHub refuses the token this server is configured with.', {
      nextStep: "The server's operator must replace the GitHub token.",
    })
  }
  if (answer.status === 403 || answer.status === 429) return limitOf(answer, now)
  return missByStatus[answer.status]
}

const missByStatus: Readonly<Record<number, GithubMiss>> = {
  202: { kind: 'pending' },
  204: { kind: 'empty' },
  404: { kind: 'absent' },
  409: { kind: 'empty' },
  410: { kind: 'absent' },
  451: { kind: 'blocked' },
}

function limitOf(answer: HttpAnswer, now: number): GithubMiss {
  const message = messageBody.safeParse(answer.body).data?.message ?? ''
  const retryAfter = answer.headers['retry-after']
  if (answer.headers['x-ratelimit-remaining'] === '0') {
    return { kind: 'limited', limit: 'quota', retryAfterSeconds: resetIn(answer.headers, now) }
  }
  if (answer.status === 429 || retryAfter !== undefined || /secondary rate limit/i.test(message)) {
    const seconds = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
    return { kind: 'limited', limit: 'secondary', retryAfterSeconds: seconds }
  }
  return /rate limit/i.test(message)
    ? { kind: 'limited', limit: 'quota', retryAfterSeconds: null }
    : { kind: 'refused' }
}

function resetIn(from: Readonly<Record<string, string>>, now: number): number | null {
  const reset = Number(from['x-ratelimit-reset'] ?? Number.NaN)
  return Number.isFinite(reset) ? Math.max(0, Math.ceil(reset - now / 1000)) : null
}

function lastPageOf(link: string | undefined): number | null {
  const url = /<([^>]{1,2000})>; rel="last"/.exec(link ?? '')?.[1]
  const page = url === undefined ? Number.NaN : Number(URL.parse(url)?.searchParams.get('page') ?? Number.NaN)
  return Number.isSafeInteger(page) && page > 0 ? page : null
}

const bots: ReadonlySet<string> = new Set([
  'allcontributors',
  'dependabot',
  'dependabot-preview',
  'github-actions',
  'greenkeeper',
  'greenkeeperio-bot',
  'imgbot',
  'mergify',
  'pre-commit-ci',
  'pyup-bot',
  'renovate',
  'renovate-bot',
  'semantic-release-bot',
  'snyk-bot',
])

/** Whether a login or an author's name is a well-known program's. */
function isBotName(name: string): boolean {
  return name.endsWith('[bot]') || bots.has(name.toLowerCase())
}

function repo(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`
}

function map<T, U>(answer: GithubAnswer<T>, read: (value: T) => U): GithubAnswer<U> {
  return answer.kind === 'found' ? { kind: 'found', value: read(answer.value) } : answer
}

function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body)
  if (!result.success) {
    throw new UpstreamError('github', 'GitHub answered in a form this server does not know.', { cause: result.error })
  }
  return result.data
}

// REST

// Through a string, because `null` would coerce to 1970.
const date = z.string().pipe(z.coerce.date())
const count = z.number().int().nonnegative()
const messageBody = z.object({ message: z.string() })

const repositoryBody = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  stargazers_count: count,
  forks_count: count,
  // Older answers leave the subscribers out; `watchers_count` repeats the stars.
  subscribers_count: count.nullish(),
  open_issues_count: count,
  language: z.string().nullish(),
  license: z.object({ spdx_id: z.string().nullish() }).nullish(),
  created_at: date,
  pushed_at: date.nullish(),
  archived: z.boolean(),
  fork: z.boolean(),
  has_issues: z.boolean().nullish(),
  description: z.string().nullish(),
  homepage: z.string().nullish(),
  topics: z.array(z.string()).nullish(),
})

function repositoryOf(body: z.output<typeof repositoryBody>): GithubRepository {
  return {
    fullName: body.full_name,
    defaultBranch: body.default_branch,
    stars: body.stargazers_count,
    forks: body.forks_count,
    watchers: body.subscribers_count ?? null,
    openIssues: body.open_issues_count,
    language: body.language ?? null,
    license: body.license?.spdx_id ?? (body.license === null || body.license === undefined ? null : 'NOASSERTION'),
    createdAt: body.created_at,
    pushedAt: body.pushed_at ?? null,
    archived: body.archived,
    isFork: body.fork,
    hasIssues: body.has_issues ?? true,
    description: body.description ?? '',
    homepage: body.homepage ?? '',
    topics: body.topics ?? [],
  }
}

const file = z.unknown()
const profileBody = z.object({
  health_percentage: z.number().min(0).max(100),
  files: z
    .object({
      code_of_conduct: file,
      code_of_conduct_file: file,
      contributing: file,
      issue_template: file,
      pull_request_template: file,
      license: file,
      readme: file,
    })
    .partial(),
})

function profileOf({ health_percentage, files }: z.output<typeof profileBody>): GithubProfile {
  const isThere = (value: unknown): boolean => value !== null && value !== undefined
  return {
    health: health_percentage,
    codeOfConduct: isThere(files.code_of_conduct) || isThere(files.code_of_conduct_file),
    contributing: isThere(files.contributing),
    issueTemplate: isThere(files.issue_template),
    pullRequestTemplate: isThere(files.pull_request_template),
    license: isThere(files.license),
    readme: isThere(files.readme),
    securityPolicy: null,
  }
}

const treeBody = z.object({
  truncated: z.boolean(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: z.number().nullish() })),
})

const gitActor = z.object({ name: z.string().nullish(), email: z.string().nullish(), date: date.nullish() }).nullish()
const commitsBody = z.array(
  z.object({
    author: z.object({ login: z.string().nullish(), type: z.string().nullish() }).nullish(),
    commit: z.object({ author: gitActor, committer: gitActor }),
  }),
)

function commitOf({ author, commit }: z.output<typeof commitsBody>[number]): GithubCommits['seen'][number] {
  return {
    author: author?.login ?? commit.author?.email ?? commit.author?.name ?? 'unknown',
    isBot: author?.type === 'Bot' || isBotName(author?.login ?? commit.author?.name ?? ''),
    // A commit without any date is taken for the oldest thing there is, never for a fresh one.
    at: commit.committer?.date ?? commit.author?.date ?? new Date(0),
  }
}

const contributorsBody = z.array(
  z.object({
    contributions: count,
    login: z.string().nullish(),
    name: z.string().nullish(),
    type: z.string().nullish(),
  }),
)

const releasesBody = z.array(
  z.object({
    draft: z.boolean().nullish(),
    published_at: date.nullish(),
    created_at: date.nullish(),
    body: z.string().nullish(),
  }),
)

function releaseOf(release: z.output<typeof releasesBody>[number]): readonly GithubRelease[] {
  const at = release.published_at ?? release.created_at
  if (release.draft === true || at === null || at === undefined) return []
  return [{ at, hasNotes: (release.body ?? '').trim() !== '' }]
}

const issuesBody = z.array(
  z.object({ created_at: date, closed_at: date.nullish(), pull_request: z.unknown().optional() }),
)
const pullsBody = z.array(z.object({ created_at: date, merged_at: date.nullish() }))
const runsBody = z.object({ workflow_runs: z.array(z.object({ conclusion: z.string().nullish() })) })

// GraphQL

const overviewQuery = `query ($owner: String!, $name: String!, $since: GitTimestamp!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner isArchived isFork hasIssuesEnabled stargazerCount forkCount createdAt pushedAt description homepageUrl
    watchers { totalCount }
    openIssues: issues(states: OPEN) { totalCount }
    openPulls: pullRequests(states: OPEN) { totalCount }
    primaryLanguage { name }
    licenseInfo { spdxId }
    repositoryTopics(first: 20) { nodes { topic { name } } }
    codeOfConduct { key }
    contributingGuidelines { url }
    isSecurityPolicyEnabled
    issueTemplates { name }
    pullRequestTemplates { filename }
    releases(first: 30, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { publishedAt createdAt isDraft description } }
    tags: refs(refPrefix: "refs/tags/", first: 30, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      nodes { target { ... on Commit { committedDate } ... on Tag { tagger { date } target { ... on Commit { committedDate } } } } }
    }
    issues(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { createdAt closedAt } }
    pullRequests(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { createdAt mergedAt } }
    rulesets(first: 20, includeParents: true) { nodes { name enforcement target conditions { refName { include } } } }
    defaultBranchRef {
      name
      refUpdateRule { pattern }
      target {
        ... on Commit {
          committedDate
          history(first: 100, since: $since) { totalCount nodes { committedDate author { name email user { login } } } }
        }
      }
    }
  }
}`

const total = z.object({ totalCount: count })
const nodes = <T extends z.ZodType>(node: T) => z.object({ nodes: z.array(node.nullable()).nullish() }).nullish()
const dated = z.object({ committedDate: date.nullish() }).nullish()

const overviewRepository = z.object({
  nameWithOwner: z.string(),
  isArchived: z.boolean(),
  isFork: z.boolean(),
  hasIssuesEnabled: z.boolean(),
  stargazerCount: count,
  forkCount: count,
  createdAt: date,
  pushedAt: date.nullish(),
  description: z.string().nullish(),
  homepageUrl: z.string().nullish(),
  watchers: total,
  openIssues: total,
  openPulls: total,
  primaryLanguage: z.object({ name: z.string() }).nullish(),
  licenseInfo: z.object({ spdxId: z.string().nullish() }).nullish(),
  repositoryTopics: nodes(z.object({ topic: z.object({ name: z.string() }) })),
  codeOfConduct: z.object({}).nullish(),
  contributingGuidelines: z.object({}).nullish(),
  isSecurityPolicyEnabled: z.boolean().nullish(),
  issueTemplates: z.array(z.object({})).nullish(),
  pullRequestTemplates: z.array(z.object({})).nullish(),
  releases: nodes(
    z.object({
      publishedAt: date.nullish(),
      createdAt: date.nullish(),
      isDraft: z.boolean().nullish(),
      description: z.string().nullish(),
    }),
  ),
  tags: nodes(
    z.object({
      target: z
        .object({
          committedDate: date.nullish(),
          tagger: z.object({ date: date.nullish() }).nullish(),
          target: dated,
        })
        .nullish(),
    }),
  ),
  issues: nodes(z.object({ createdAt: date, closedAt: date.nullish() })),
  pullRequests: nodes(z.object({ createdAt: date, mergedAt: date.nullish() })),
  rulesets: nodes(
    z.object({
      name: z.string(),
      enforcement: z.string(),
      target: z.string().nullish(),
      conditions: z.object({ refName: z.object({ include: z.array(z.string()).nullish() }).nullish() }).nullish(),
    }),
  ),
  defaultBranchRef: z
    .object({
      name: z.string(),
      refUpdateRule: z.object({}).nullish(),
      target: z
        .object({
          committedDate: date.nullish(),
          history: z
            .object({
              totalCount: count,
              nodes: z
                .array(
                  z.object({
                    committedDate: date,
                    author: z
                      .object({
                        name: z.string().nullish(),
                        email: z.string().nullish(),
                        user: z.object({ login: z.string() }).nullish(),
                      })
                      .nullish(),
                  }),
                )
                .nullish(),
            })
            .nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

const overviewAnswer = z.object({
  data: z.object({ repository: overviewRepository.nullish() }).nullish(),
  errors: z.array(z.object({ type: z.string().nullish() })).nullish(),
})

function overviewOf(body: z.output<typeof overviewRepository>): GithubOverview {
  const branch = body.defaultBranchRef
  const history = branch?.target?.history
  const seen = (history?.nodes ?? []).map(({ author, committedDate }) => ({
    author: author?.user?.login ?? author?.email ?? author?.name ?? 'unknown',
    isBot: isBotName(author?.user?.login ?? author?.name ?? ''),
    at: committedDate,
  }))
  const commits = {
    seen,
    isExact: true,
    total: history?.totalCount ?? 0,
    newest: branch?.target?.committedDate ?? null,
  }
  const license = body.licenseInfo
  return {
    repository: {
      fullName: body.nameWithOwner,
      // An empty repository has no branch yet; HEAD names whatever comes.
      defaultBranch: branch?.name ?? 'HEAD',
      stars: body.stargazerCount,
      forks: body.forkCount,
      watchers: body.watchers.totalCount,
      openIssues: body.openIssues.totalCount + body.openPulls.totalCount,
      language: body.primaryLanguage?.name ?? null,
      license: license === null || license === undefined ? null : (license.spdxId ?? 'NOASSERTION'),
      createdAt: body.createdAt,
      pushedAt: body.pushedAt ?? null,
      archived: body.isArchived,
      isFork: body.isFork,
      hasIssues: body.hasIssuesEnabled,
      description: body.description ?? '',
      homepage: body.homepageUrl ?? '',
      topics: present(body.repositoryTopics?.nodes).map(({ topic }) => topic.name),
    },
    profile: {
      health: null,
      codeOfConduct: isGiven(body.codeOfConduct),
      contributing: isGiven(body.contributingGuidelines),
      issueTemplate: (body.issueTemplates ?? []).length > 0,
      pullRequestTemplate: (body.pullRequestTemplates ?? []).length > 0,
      license: isGiven(license),
      readme: false,
      securityPolicy: body.isSecurityPolicyEnabled ?? null,
    },
    commits,
    releases: present(body.releases?.nodes).flatMap((release) =>
      releaseOf({
        draft: release.isDraft,
        published_at: release.publishedAt,
        created_at: release.createdAt,
        body: release.description,
      }),
    ),
    tags: present(body.tags?.nodes).flatMap(
      ({ target }) => target?.committedDate ?? target?.tagger?.date ?? target?.target?.committedDate ?? [],
    ),
    issues: present(body.issues?.nodes).map((issue) => ({
      createdAt: issue.createdAt,
      closedAt: issue.closedAt ?? null,
    })),
    pulls: present(body.pullRequests?.nodes).map((pull) => ({
      createdAt: pull.createdAt,
      mergedAt: pull.mergedAt ?? null,
    })),
    rules: present(body.rulesets?.nodes)
      .filter((ruleset) => holdsOn(ruleset, branch?.name ?? null))
      .map(({ name }) => name),
    isProtected: isGiven(branch?.refUpdateRule) ? true : isGiven(body.rulesets) ? false : null,
  }
}

type Ruleset = {
  readonly enforcement: string
  readonly target?: string | null | undefined
  readonly conditions?:
    | { readonly refName?: { readonly include?: readonly string[] | null | undefined } | null | undefined }
    | null
    | undefined
}

/** Whether a ruleset is in force on a branch; patterns other than "every branch" are not guessed at. */
function holdsOn({ enforcement, target, conditions }: Ruleset, branch: string | null): boolean {
  const every = ['~ALL', '~DEFAULT_BRANCH', 'refs/heads/*', 'refs/heads/**/*', `refs/heads/${branch}`]
  const isIncluded = conditions?.refName?.include?.some((pattern) => every.includes(pattern)) ?? false
  return enforcement === 'ACTIVE' && (target ?? 'BRANCH') === 'BRANCH' && isIncluded
}

function present<T>(values: readonly (T | null)[] | null | undefined): readonly T[] {
  return (values ?? []).filter((value) => value !== null)
}

function isGiven(value: object | null | undefined): boolean {
  return value !== null && value !== undefined
}
