import { createHash } from 'node:crypto'

import { publicSubjects } from '../public-subjects.ts'

/** One market of the sandbox's Polymarket. Every name and number in it is invented. */
export type SandboxMarket = {
  readonly slug: string
  readonly question: string
  /** How the event's list names it. */
  readonly name: string
  readonly yes: number
  readonly volumeUsd: number
  readonly liquidityUsd: number
  readonly state?: 'open' | 'proposed' | 'resolved'
}

export type SandboxEvent = {
  readonly slug: string
  readonly title: string
  /** Exactly one member can win. */
  readonly exclusive: boolean
  readonly daysLeft: number
  readonly markets: readonly SandboxMarket[]
}

/** A list that several can win, a list that one will win, a question near its end and one that is over. */
export const sandboxEvents: readonly SandboxEvent[] = [
  {
    slug: 'what-will-veltria-do-this-term',
    title: 'What will Veltria do this term?',
    exclusive: false,
    daysLeft: 210,
    markets: [
      {
        slug: 'will-veltria-join-the-customs-union',
        question: 'Will Veltria join the customs union this term?',
        name: 'Join the customs union',
        yes: 0.26,
        volumeUsd: 120_450.75,
        liquidityUsd: 8_310.5,
      },
      {
        slug: 'will-veltria-reopen-the-northern-pass',
        question: 'Will Veltria reopen the northern pass this term?',
        name: 'Reopen the northern pass',
        yes: 0.715,
        volumeUsd: 64_012.2,
        liquidityUsd: 5_120,
      },
      {
        slug: 'will-veltria-issue-a-digital-crown',
        question: 'Will Veltria issue a digital crown this term?',
        name: 'Issue a digital crown',
        yes: 0.485,
        volumeUsd: 91_300,
        liquidityUsd: 7_004.25,
      },
    ],
  },
  {
    slug: 'mayor-of-port-amber',
    title: 'Next mayor of Port Amber',
    exclusive: true,
    daysLeft: 45,
    markets: [
      ['ilse-brandt', 'Ilse Brandt', 0.5185, 410_220.1],
      ['tomas-reyle', 'Tomas Reyle', 0.334, 388_004.9],
      ['oona-marsh', 'Oona Marsh', 0.1205, 150_777],
      ['no-election', 'No election', 0.042, 22_310.4],
    ].map(([slug, name, yes, volumeUsd]) => ({
      slug: `will-${String(slug)}-be-mayor-of-port-amber`,
      question: `Will ${String(name)} be the next mayor of Port Amber?`,
      name: String(name),
      yes: Number(yes),
      volumeUsd: Number(volumeUsd),
      liquidityUsd: 12_500,
    })),
  },
  {
    slug: 'harbour-ferry-record',
    title: 'Does the harbour ferry set a record this season?',
    exclusive: false,
    daysLeft: -3,
    markets: [
      {
        slug: 'harbour-ferry-record',
        question: 'Does the harbour ferry set a record this season?',
        name: 'Record',
        yes: 0.9725,
        volumeUsd: 18_400,
        liquidityUsd: 940,
        state: 'proposed',
      },
    ],
  },
  // It was asked and decided like this; the figures are made up.
  {
    slug: publicSubjects.market.event,
    title: 'Presidential Election Winner 2024',
    exclusive: true,
    daysLeft: -740,
    markets: [
      {
        slug: publicSubjects.market.slug,
        question: 'Will Donald Trump win the 2024 US Presidential Election?',
        name: 'Donald Trump',
        yes: 1,
        volumeUsd: 1_500_000,
        liquidityUsd: 0,
        state: 'resolved',
      },
      {
        slug: 'will-kamala-harris-win-the-2024-us-presidential-election',
        question: 'Will Kamala Harris win the 2024 US Presidential Election?',
        name: 'Kamala Harris',
        yes: 0,
        volumeUsd: 1_000_000,
        liquidityUsd: 0,
        state: 'resolved',
      },
    ],
  },
  {
    slug: 'lighthouse-reopens',
    title: 'Does the old lighthouse reopen?',
    exclusive: false,
    daysLeft: -30,
    markets: [
      {
        slug: 'lighthouse-reopens',
        question: 'Does the old lighthouse reopen?',
        name: 'Reopens',
        yes: 1,
        volumeUsd: 30_210.6,
        liquidityUsd: 0,
        state: 'resolved',
      },
    ],
  },
]

/** Numbers of one market that the services must agree on. */
export function identityOf(slug: string): { readonly conditionId: string; readonly tokenIds: readonly string[] } {
  const bytes = createHash('sha256').update(slug).digest('hex')
  const number = BigInt(`0x${bytes}`)
  return { conditionId: `0x${bytes}`, tokenIds: [String(number), String(number + 1n)] }
}

/** The price of the other side, without the noise of binary fractions. */
export function noOf(yes: number): number {
  return Number((1 - yes).toFixed(4))
}
