import { segmentsOf, type Replay } from './replay.ts'
import { repositoryOf, shaOf, timeAt } from './repositories.ts'

/** The OpenSSF Scorecard's results. */
export const scorecard: Replay = {
  name: 'SCORECARD',
  notFound: { code: 404, message: 'result not found' },
  answer({ path }, { now }) {
    const [projects, host, owner, name] = segmentsOf(path)
    const repository = projects === 'projects' && host === 'github.com' ? repositoryOf(owner, name) : undefined
    if (repository === undefined || repository.scorecard === null) return undefined
    const commit = shaOf(repository.name)
    const body = {
      date: timeAt(now, 3),
      repo: { name: `github.com/${repository.owner}/${repository.name}`, commit },
      scorecard: { version: 'v5.3.0', commit: shaOf('scorecard') },
      score: repository.scorecard.score,
      checks: repository.scorecard.checks.map(([check, score, reason]) => ({
        name: check,
        score,
        reason,
        details: null,
        documentation: {
          short: `The check ${check}.`,
          url: `https://github.com/ossf/scorecard/blob/main/docs/checks.md#${check.toLowerCase()}`,
        },
      })),
    }
    return { status: 200, body }
  },
}
