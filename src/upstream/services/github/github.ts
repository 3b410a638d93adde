import type { z } from 'zod'

import { createAsking, type GithubParts, listLimits, type Limits, type Page, treeLimits } from './asking.ts'
import {
  commitOf,
  commitsBody,
  contributorsBody,
  isBotName,
  issuesBody,
  branchBody,
  participationBody,
  profileBody,
  profileOf,
  pullsBody,
  releaseOf,
  releasesBody,
  repositoryBody,
  repositoryOf,
  rulesBody,
  runsBody,
  tagsBody,
  treeBody,
} from './bodies.ts'
import type { Github, GithubAnswer, GithubContributors } from './types.ts'

export type { Github } from './types.ts'

const pageSize = 100
const pollWaitsMs: readonly number[] = [1_000, 2_000, 3_000]
/** Each look is one of sixty an hour. */
const pollWaitsWithoutTokenMs: readonly number[] = [3_000]

/** Builds the client of GitHub. */
export function createGithub(parts: GithubParts): Github {
  const { clock, signal, hasToken } = parts
  const { read, overview } = createAsking(parts)

  /** Asks for one thing and keeps what `of` makes of it. */
  const one = async <T extends z.ZodType, U>(
    path: string,
    schema: T,
    of: (page: Page<z.output<T>>) => U,
    limits?: Limits,
  ): Promise<GithubAnswer<U>> => map(await read(path, schema, limits), of)

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
    let answer = await read(path, participationBody)
    for (const waitMs of hasToken ? pollWaitsMs : pollWaitsWithoutTokenMs) {
      if (answer.kind !== 'pending' || signal.aborted) break
      await clock.sleep(waitMs, signal)
      answer = await read(path, participationBody)
    }
    return map(answer, ({ body }) => body.all)
  }

  return {
    hasToken,
    overview,
    contributors,
    participation,
    repository: (fullName) => one(repo(fullName), repositoryBody, ({ body }) => repositoryOf(body)),
    profile: (fullName) => one(`${repo(fullName)}/community/profile`, profileBody, ({ body }) => profileOf(body)),
    tree: (fullName, branch) =>
      one(
        `${repo(fullName)}/git/trees/${encodeURIComponent(branch)}?recursive=1`,
        treeBody,
        ({ body }) => ({
          truncated: body.truncated,
          files: body.tree.flatMap(({ type, path, size }) => (type === 'blob' ? [{ path, size: size ?? 0 }] : [])),
        }),
        treeLimits,
      ),
    commits: (fullName, since) =>
      one(
        `${repo(fullName)}/commits?since=${since.toISOString()}&per_page=${pageSize}`,
        commitsBody,
        ({ body, lastPage }) => {
          const seen = body.map(commitOf)
          const isExact = lastPage === null
          return { seen, isExact, total: isExact ? seen.length : (lastPage - 1) * pageSize + 1, newest: null }
        },
        listLimits,
      ),
    releases: (fullName) =>
      one(`${repo(fullName)}/releases?per_page=30`, releasesBody, ({ body }) => body.flatMap(releaseOf), listLimits),
    tags: (fullName) => one(`${repo(fullName)}/tags?per_page=30`, tagsBody, ({ body }) => body.map(({ name }) => name)),
    issues: (fullName, since) =>
      one(
        `${repo(fullName)}/issues?state=all&since=${since.toISOString()}&per_page=${pageSize}&sort=updated`,
        issuesBody,
        ({ body }) =>
          body
            .filter(({ pull_request }) => pull_request === undefined || pull_request === null)
            .map(({ created_at, closed_at }) => ({ createdAt: created_at, closedAt: closed_at ?? null })),
        listLimits,
      ),
    pulls: (fullName) =>
      one(
        `${repo(fullName)}/pulls?state=all&sort=updated&direction=desc&per_page=${pageSize}`,
        pullsBody,
        ({ body }) => body.map(({ created_at, merged_at }) => ({ createdAt: created_at, mergedAt: merged_at ?? null })),
        listLimits,
      ),
    runs: (fullName, branch) =>
      one(
        `${repo(fullName)}/actions/runs?branch=${encodeURIComponent(branch)}&status=completed&per_page=30`,
        runsBody,
        ({ body }) => body.workflow_runs.flatMap(({ conclusion }) => conclusion ?? []),
        listLimits,
      ),
    branchRules: (fullName, branch) =>
      one(`${repo(fullName)}/rules/branches/${encodeURIComponent(branch)}`, rulesBody, ({ body }) =>
        body.map(({ type }) => type),
      ),
    isBranchProtected: (fullName, branch) =>
      one(`${repo(fullName)}/branches/${encodeURIComponent(branch)}`, branchBody, ({ body }) => body.protected),
  }
}

function repo(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`
}

function map<T, U>(answer: GithubAnswer<T>, read: (value: T) => U): GithubAnswer<U> {
  return answer.kind === 'found' ? { kind: 'found', value: read(answer.value) } : answer
}
