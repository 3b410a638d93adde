import type { Fields, Markup } from './values.ts'

/** What drawing one answer has in hand. */
export type Pen = {
  /** What was asked, where that is known: an answer may speak of it. */
  readonly input: unknown
  /** Whether so many more values may be drawn; an answer must not stop the page that shows it. */
  readonly takes: (values: number) => boolean
  /** Draws members that a shape has no place of its own for. */
  readonly others: (fields: Fields) => Markup
}

/** A list of rows that has a picture of its own; undefined where these rows are something else. */
export type ListShape = (rows: readonly Fields[], name: string, parent: Fields, pen: Pen) => Markup | undefined
