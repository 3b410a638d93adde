import { z } from 'zod'

/** A number as JSON-RPC writes it; beyond 2^52 nothing that is counted here can be. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/)
  .transform(Number)
