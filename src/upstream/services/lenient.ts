import { z } from 'zod'

/** Fields of other people's answers that read as null where they are missing or of another type. */

export const textOrNull = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** Also takes a number that is written as text. */
export const numberOrNull = z
  .union([z.number(), z.string().min(1).transform(Number)])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined || !Number.isFinite(value) ? null : value))

export const flagOrNull = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
