import type { z } from 'zod'
import type { JsonValue } from './json-value.ts'

type Scalar = string | number | boolean | null | undefined

type ReadonlyDeep<T> = JsonValue extends T
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? readonly ReadonlyDeep<Item>[]
      : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }

/** Members that may be absent may also be given as `undefined`: parseBody drops those. */
type Loose<T> = JsonValue extends T
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Loose<Item>[]
      : {
          readonly [Key in keyof T]: object extends Pick<T, Key>
            ? Loose<T[Key]> | undefined
            : Loose<T[Key]>
        }

/** A body as it is stored: every default filled in, nothing to change in place. */
export type StoredBody<Make extends () => z.ZodType> = ReadonlyDeep<z.output<ReturnType<Make>>>

/** A body as a caller may give it, before defaults. */
export type GivenBody<Make extends () => z.ZodType> = Loose<z.input<ReturnType<Make>>>
