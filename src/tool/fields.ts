import { z } from 'zod'

/** An address as callers write it; `readAddress` makes it one of a known form. */
export const addressField = z.string().regex(/^0x[a-fA-F0-9]{40}$/)

/** A collection by its name at OpenSea. */
export const collectionField = z
  .string()
  .regex(/^[a-z0-9-]{1,120}$/)
  .describe('OpenSea slug.')
