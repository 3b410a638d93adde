import { segmentsOf, type Replay } from './replay.ts'
import { repositoryOf, timeAt } from './repositories.ts'

/** What deps.dev knows of projects. */
export const depsDev: Replay = {
  name: 'DEPSDEV',
  notFound: { code: 5, message: 'project not found', details: [] },
  answer({ path }, { now }) {
    const [version, projects, id = ''] = segmentsOf(path)
    if ((version !== 'v3' && version !== 'v3alpha') || projects !== 'projects') return undefined
    const [host, owner, name] = id.split('/')
    const repository = host === 'github.com' ? repositoryOf(owner, name) : undefined
    if (repository === undefined) return undefined
    const { stars, forks, issues, license, description, homepage, scorecard } = repository
    const body = {
      projectKey: { id: id.toLowerCase() },
      openIssuesCount: issues.filter(([, closed]) => closed === null).length,
      starsCount: stars,
      forksCount: forks,
      license: license?.spdx_id ?? '',
      description,
      homepage: homepage ?? '',
      ...(scorecard === null
        ? {}
        : {
            scorecard: {
              date: timeAt(now, 3),
              overallScore: scorecard.score,
              checks: scorecard.checks.map(([check, score, reason]) => ({ name: check, score, reason, details: [] })),
            },
          }),
    }
    return { status: 200, body }
  },
}
