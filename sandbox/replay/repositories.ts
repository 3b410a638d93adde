import { publicSubjects } from '../public-subjects.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

type Person = { readonly login: string; readonly bot: boolean; readonly contributions: number }

/** One invented repository: what GitHub, the Scorecard and deps.dev say of it is made from these facts. */
export type Repository = {
  readonly id: number
  readonly owner: string
  readonly name: string
  readonly description: string
  readonly homepage: string | null
  readonly topics: readonly string[]
  readonly language: string
  readonly stars: number
  readonly forks: number
  readonly watchers: number
  readonly archived: boolean
  readonly license: { readonly key: string; readonly name: string; readonly spdx_id: string } | null
  readonly ageDays: number
  /** Days since the last commit; commits before that come at an even pace. */
  readonly idleDays: number
  readonly daysBetweenCommits: number
  readonly people: readonly Person[]
  /** Path and size of every file. */
  readonly files: readonly (readonly [path: string, size: number])[]
  readonly releasedDaysAgo: readonly number[]
  /** When each was opened, in days before now, and after how many hours it was closed, if it was. */
  readonly issues: readonly (readonly [openedDaysAgo: number, closedAfterHours: number | null])[]
  readonly pulls: readonly (readonly [openedDaysAgo: number, mergedAfterHours: number | null])[]
  readonly runs: readonly ('success' | 'failure')[]
  readonly protectedBranch: boolean
  readonly healthPercentage: number
  readonly scorecard: {
    readonly score: number
    readonly checks: readonly (readonly [name: string, score: number, reason: string])[]
  } | null
}

/** A repository in good order. */
const paidWeather: Repository = {
  id: 900_000_001,
  owner: 'tollgate-demo',
  name: 'paid-weather',
  description: 'Weather for agents, paid per call with x402. An invented repository of the Tollgate sandbox.',
  homepage: 'https://paid-weather.example',
  topics: ['agents', 'mcp', 'weather', 'x402'],
  language: 'TypeScript',
  stars: 1_240,
  forks: 86,
  watchers: 31,
  archived: false,
  license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT' },
  ageDays: 610,
  idleDays: 1,
  daysBetweenCommits: 1.5,
  people: [
    { login: 'ada-demo', bot: false, contributions: 142 },
    { login: 'bela-demo', bot: false, contributions: 98 },
    { login: 'chidi-demo', bot: false, contributions: 71 },
    { login: 'dependabot[bot]', bot: true, contributions: 44 },
    { login: 'dora-demo', bot: false, contributions: 29 },
    { login: 'emil-demo', bot: false, contributions: 12 },
    { login: 'fumi-demo', bot: false, contributions: 5 },
  ],
  files: [
    ['.editorconfig', 180],
    ['.github/CODEOWNERS', 40],
    ['.github/ISSUE_TEMPLATE/bug.yml', 900],
    ['.github/PULL_REQUEST_TEMPLATE.md', 420],
    ['.github/dependabot.yml', 260],
    ['.github/workflows/ci.yml', 1_400],
    ['.github/workflows/codeql.yml', 800],
    ['.github/workflows/release.yml', 1_100],
    ['AGENTS.md', 2_300],
    ['CHANGELOG.md', 6_800],
    ['CODE_OF_CONDUCT.md', 5_200],
    ['CONTRIBUTING.md', 3_100],
    ['LICENSE', 1_070],
    ['README.md', 9_400],
    ['SECURITY.md', 1_200],
    ['docs/index.md', 4_000],
    ['docs/payments.md', 5_600],
    ['eslint.config.js', 700],
    ['llms.txt', 600],
    ['package-lock.json', 310_000],
    ['package.json', 1_900],
    ['src/index.ts', 3_300],
    ['src/server.ts', 8_700],
    ['test/server.test.ts', 7_500],
    ['tsconfig.json', 420],
  ],
  releasedDaysAgo: [12, 41, 75, 118, 190, 260],
  issues: [
    [3, 20],
    [9, 50],
    [16, 6],
    [22, null],
    [37, 70],
    [44, 31],
    [58, null],
    [71, 12],
    [83, 90],
  ],
  pulls: [
    [2, 8],
    [6, 26],
    [11, 15],
    [19, 40],
    [28, 5],
    [35, null],
    [49, 33],
    [66, 18],
    [80, 52],
  ],
  runs: Array.from({ length: 30 }, (_, index) => (index % 11 === 7 ? 'failure' : 'success')),
  protectedBranch: true,
  healthPercentage: 100,
  scorecard: {
    score: 7.9,
    checks: [
      ['Binary-Artifacts', 10, 'no binaries found in the repo'],
      ['Branch-Protection', 8, 'branch protection is not maximal on development and all release branches'],
      ['CI-Tests', 10, '9 out of 9 merged PRs checked by a CI test -- score normalized to 10'],
      ['CII-Best-Practices', 0, 'no effort to earn an OpenSSF best practices badge detected'],
      ['Code-Review', 8, 'found 2 unreviewed changesets out of 9'],
      ['Contributors', 6, 'project has 2 contributing companies or organizations'],
      ['Dangerous-Workflow', 10, 'no dangerous workflow patterns detected'],
      ['Dependency-Update-Tool', 10, 'update tool detected'],
      ['Fuzzing', 0, 'project is not fuzzed'],
      ['License', 10, 'license file detected'],
      ['Maintained', 10, '30 commit(s) and 9 issue activity found in the last 90 days -- score normalized to 10'],
      ['Packaging', 10, 'packaging workflow detected'],
      ['Pinned-Dependencies', 7, 'dependency not pinned by hash detected -- score normalized to 7'],
      ['SAST', 10, 'SAST tool is run on all commits'],
      ['Security-Policy', 10, 'security policy file detected'],
      ['Signed-Releases', -1, 'no releases found'],
      ['Token-Permissions', 9, 'detected GitHub workflow tokens with excessive permissions'],
      ['Vulnerabilities', 9, '1 existing vulnerabilities detected'],
    ],
  },
}

/** A repository that its only author left. */
const leftBehindBot: Repository = {
  id: 900_000_002,
  owner: 'tollgate-demo',
  name: 'left-behind-bot',
  description: '',
  homepage: null,
  topics: [],
  language: 'JavaScript',
  stars: 14,
  forks: 3,
  watchers: 2,
  archived: false,
  license: null,
  ageDays: 1_150,
  idleDays: 470,
  daysBetweenCommits: 6,
  people: [
    { login: 'gus-demo', bot: false, contributions: 61 },
    { login: 'hana-demo', bot: false, contributions: 2 },
  ],
  files: [
    ['README.md', 320],
    ['bot.js', 11_000],
    ['lib/helper.exe', 84_000],
    ['package.json', 640],
  ],
  releasedDaysAgo: [],
  issues: [
    [40, null],
    [62, null],
    [85, null],
    [300, null],
  ],
  pulls: [[120, null]],
  runs: [],
  protectedBranch: false,
  healthPercentage: 14,
  scorecard: null,
}

/** Every repository of the sandbox's GitHub. */
/** A repository that really exists, with figures of our own. */
const express: Repository = {
  ...paidWeather,
  ...publicSubjects.repository,
  id: 900_000_003,
  description: 'Fast, unopinionated, minimalist web framework for node.',
  homepage: 'https://expressjs.com',
  topics: ['express', 'javascript', 'nodejs', 'server'],
  language: 'JavaScript',
  stars: 68_400,
  forks: 21_900,
  ageDays: 6_000,
}

const repositories: readonly Repository[] = [paidWeather, leftBehindBot, express]

/** The repository, its name in any case. */
export function repositoryOf(owner = '', name = ''): Repository | undefined {
  return repositories.find((one) => `${one.owner}/${one.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase())
}

/** The time so many days, and hours after that, before or after now. */
export function timeAt(now: Date, daysAgo: number, hoursLater = 0): string {
  const time = new Date(now.getTime() - daysAgo * dayMs + hoursLater * hourMs)
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** A 40-digit hash for anything that has one, the same each time. */
export function shaOf(text: string): string {
  let state = 2_166_136_261
  let digits = ''
  for (let round = 0; digits.length < 40; round++) {
    for (const char of `${text}#${round}`) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0
    digits += state.toString(16).padStart(8, '0')
  }
  return digits
}
