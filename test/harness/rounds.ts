const times = Number(process.env['TEST_ROUNDS'] ?? 1)
if (!(times > 0)) throw new Error('TEST_ROUNDS says how many times as many cases are made, such as 3.')

/**
 * How many generated cases a test makes, or how often it kills: enough that a fault in what is tested shows, few enough
 * that everybody runs all tests. `TEST_ROUNDS=10 npm test` makes ten times as many.
 */
export const rounds = (usual: number): number => Math.max(1, Math.round(usual * times))
