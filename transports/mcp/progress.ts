/** How long a call may run before its caller hears of it, and then again. */
const beatMs = 2_000

export type Progress = { readonly progress: number; readonly message: string }

/**
 * Runs a call and says every two seconds that it still runs, so that a client which waits for signs of life does not
 * give up. How far it is nobody knows: the number is the seconds that have passed.
 * @param tell undefined where the caller asked for no progress.
 */
export async function withProgress<T>(
  tell: ((progress: Progress) => Promise<void>) | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (tell === undefined) return work()
  let seconds = 0
  const timer = setInterval(() => {
    seconds += beatMs / 1_000
    tell({ progress: seconds, message: `${name} has been running for ${seconds} seconds.` }).catch(() => {
      // A caller who is gone wants no progress; the call hears of it by its signal.
    })
  }, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
