/** Callers that ask under the same key while an answer is on its way share it; nothing is started twice. */
export function createJoined<T>(): (key: string, start: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (key, start) => {
    const same = underWay.get(key)
    if (same !== undefined) return same
    const answer = start().finally(() => underWay.delete(key))
    underWay.set(key, answer)
    return answer
  }
}
