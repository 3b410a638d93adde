import { z } from 'zod'

const category = z.enum([
  'activity',
  'community',
  'maintenance',
  'contributors',
  'security',
  'ci_cd',
  'documentation',
  'popularity',
])
const percent = z.number().min(0).max(100)
const count = z.number().int().nonnegative()
// -1 says that nobody could be asked, as in the Scorecard; 0 would be an answer.
const countOrUnknown = z.number().int().min(-1)

/** What the tool is asked. */
export const input = z.strictObject({
  repo: z
    .string()
    .min(3)
    .max(140)
    .regex(/^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/)
    .describe('owner/name on github.com, e.g. fastify/fastify'),
})

/** What the tool answers. */
export const output = z.strictObject({
  repo: z.string().describe('owner/name as GitHub spells it today'),
  default_branch: z.string().describe('HEAD where GitHub could not be asked'),
  overall_score: z.number().int().min(0).max(100),
  grade: z.enum(['A+', 'A', 'B+', 'B', 'C', 'D', 'F']),
  category_scores: z.strictObject({
    activity: percent,
    community: percent,
    maintenance: percent,
    contributors: percent,
    security: percent,
    ci_cd: percent,
    documentation: percent,
    popularity: percent,
  }),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      category,
      passed: z.boolean(),
      score: count,
      max_score: count,
      evidence: z.string(),
    }),
  ),
  recommendations: z
    .array(
      z.strictObject({
        check_id: z.string(),
        category,
        potential_lift: count.describe('points of overall_score to be gained'),
        action: z.string(),
        current: z.string(),
      }),
    )
    .describe('most points first'),
  metadata: z
    .strictObject({
      stars: count,
      forks: count,
      open_issues: count.describe('pull requests included'),
      language: z.string().nullable(),
      created: z.string().describe('date-time'),
      last_push: z.string().describe('date-time'),
      age_days: countOrUnknown,
      license: z.string().nullable().describe('SPDX identifier'),
      archived: z.boolean().describe('known to be archived'),
      contributors: countOrUnknown,
      bus_factor: countOrUnknown.describe('fewest people who wrote half of the commits'),
    })
    .describe('what could not be had is -1, or an empty date'),
  scorecard_detail: z
    .array(
      z.strictObject({
        name: z.string(),
        score: z.number().int().min(-1).max(10).describe('-1: nothing to look at'),
        reason: z.string(),
      }),
    )
    .nullable()
    .optional(),
  evaluated_at: z.iso.datetime(),
})

export type Output = z.output<typeof output>
