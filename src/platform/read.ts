import * as v from 'valibot'

/** A value where it has the shape that is expected, with its types; undefined where it has not. */
export function read<T extends v.GenericSchema>(shape: T, value: unknown): v.InferOutput<T> | undefined {
  const parsed = v.safeParse(shape, value)
  return parsed.success ? parsed.output : undefined
}
