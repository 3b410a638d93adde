/** Why GitHub has nothing to give; none of these is an outage. */
export type GithubMiss =
  | { readonly kind: 'absent' | 'blocked' | 'empty' | 'pending' | 'refused' }
  | {
      readonly kind: 'limited'
      /** `quota` is the hourly allowance of our address or token, `secondary` a brake on bursts. */
      readonly limit: 'quota' | 'secondary'
      readonly retryAfterSeconds: number | null
    }

/** What GitHub answered: the thing asked for, or why there is none. */
export type GithubAnswer<T> = { readonly kind: 'found'; readonly value: T } | GithubMiss

/** A repository. Description, homepage, topics and language are its owner's text: untrusted. */
export type GithubRepository = {
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
export type GithubProfile = {
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

export type GithubTree = {
  readonly files: readonly { readonly path: string; readonly size: number }[]
  readonly truncated: boolean
}

export type GithubCommits = {
  /** Exact, or the least it can be where `isExact` is false. */
  readonly total: number
  readonly isExact: boolean
  /** The newest hundred. */
  readonly seen: readonly { readonly author: string; readonly isBot: boolean; readonly at: Date }[]
  /** The newest commit of the branch, however old; null where it was not told. */
  readonly newest: Date | null
}

export type GithubContributors = {
  /** Exact, anonymous ones and bots included. */
  readonly total: number
  /** The hundred most active. */
  readonly people: readonly { readonly commits: number; readonly isBot: boolean }[]
}

export type GithubRelease = { readonly at: Date; readonly hasNotes: boolean }
export type GithubIssue = { readonly createdAt: Date; readonly closedAt: Date | null }
export type GithubPull = { readonly createdAt: Date; readonly mergedAt: Date | null }

/** Everything one GraphQL question gives at once. */
export type GithubOverview = {
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
  /** Commits per week, oldest first. Asks again while GitHub computes, up to three times, without a token once. */
  readonly participation: (fullName: string) => Promise<GithubAnswer<readonly number[]>>
  /** The types of the rules that hold on a branch. */
  readonly branchRules: (fullName: string, branch: string) => Promise<GithubAnswer<readonly string[]>>
  readonly isBranchProtected: (fullName: string, branch: string) => Promise<GithubAnswer<boolean>>
}
