import type { Fields, Markup } from './values.ts'

export type Place = { readonly x: number; readonly y: number }

/** Gives boxes of one size, and the arrows between them, their places; a box is named by its place in the list. */
export type LayOut = (
  count: number,
  box: { readonly width: number; readonly height: number },
  edges: readonly (readonly [from: number, to: number])[],
) => {
  readonly places: readonly Place[]
  readonly lines: readonly (readonly Place[])[]
  readonly width: number
  readonly height: number
}

/** What an answer is drawn with, beside itself. */
export type Drawn = {
  /** What was asked, where that is known: findings are marked in it. */
  readonly input?: unknown
  /**
   * Lays out graphs; without it there is a table in place of each. It is the largest part of the drawings, and few need
   * it.
   */
  readonly layOut?: LayOut | undefined
}

/** What drawing one answer has in hand. */
export type Pen = Drawn & {
  /** Whether so many more values may be drawn; an answer must not stop the page that shows it. */
  readonly takes: (values: number) => boolean
  /** Draws members that a shape has no place of its own for. */
  readonly others: (fields: Fields) => Markup
}

/** A list of rows that has a picture of its own; undefined where these rows are something else. */
export type ListShape = (rows: readonly Fields[], name: string, parent: Fields, pen: Pen) => Markup | undefined

/** Whether an answer may have a graph in it, as it came. */
export function mayHaveGraph(text: string): boolean {
  return text.includes('"depends_on"')
}
