/** Sentences one after the other as far as they fit; none is cut. */
export function wholeSentences(sentences: readonly string[], limit: number): string {
  return sentences.reduce((text, sentence) => {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    return longer.length <= limit ? longer : text
  }, '')
}
