/**
 * Kinds of things that are asked about in the same words and are never the same: who wins is not who comes second, a
 * seat in the Senate is no governor's, and a nomination is not yet the office. Each row is one of a kind and what it is
 * called.
 */
const kinds: readonly (readonly RegExp[])[] = [
  // What of a contest.
  [
    named('wins?', 'winning', 'won', 'winners?', 'champions?', 'championship', 'titles?', 'victor'),
    named(
      'runners?-up',
      'second place',
      '2nd place',
      '(?:comes?|finish(?:es)?|placed?) (?:in )?(?:second|2nd)',
      'silver medal',
    ),
    named('third place', '3rd place', '(?:comes?|finish(?:es)?|placed?) (?:in )?(?:third|3rd)', 'bronze medal'),
    named('relegat\\w+', 'last place', '(?:comes?|finish(?:es)?) (?:in )?last', 'bottom of'),
    named(
      'qualif(?:y|ies|ied)',
      'advances?',
      'finalists?',
      'semi-?finals?',
      'runoff',
      'playoffs?',
      '(?:reach|make)(?:es)? the final',
    ),
  ],
  // What stage of an election.
  [named('primary', 'primaries', 'nominees?', 'nominations?', 'nominated', 'caucus'), named('general')],
  // What office.
  [
    named('senate', 'senators?'),
    named('(?<!white )house', 'congress(?:man|woman|ional)?'),
    named('governors?', 'governorship', 'gubernatorial'),
    named('presidents?', 'presidential', 'presidency', 'potus'),
    named('prime ministers?', 'premiership', 'pm'),
    named('mayors?', 'mayoral'),
    named('chancellors?'),
    named('attorney general'),
    named('popes?', 'pontiff'),
  ],
  [named('mens?', "men[’']s", 'male'), named('womens?', "women[’']s", 'ladies', 'female')],
  // What prize of one evening.
  [
    named('best picture', 'best film(?! editing)'),
    named('best director', 'best directing'),
    named('best actor', 'best lead actor'),
    named('best actress', 'best lead actress'),
    named('best supporting actor'),
    named('best supporting actress'),
    named('(?:film )?editing'),
    named('casting'),
    named('cinematography'),
    named('(?:best|adapted|original) screenplay'),
    named('best (?:original )?(?:song|score)'),
    named('visual effects'),
    named('(?:best|international) (?:feature|documentary|animated)[a-z ]*'),
    named('best new artist'),
    named('(?:record|album|song) of the year'),
  ],
]

function named(...ways: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${ways.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

/** How many kinds there are of which a question names one and the answer another. */
export function otherKinds(question: string, answer: string): number {
  return kinds.filter((kind) => {
    const asked = kind.filter((one) => one.test(question))
    return asked.length > 0 && kind.some((one) => one.test(answer)) && !asked.some((one) => one.test(answer))
  }).length
}
