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

/** Members that may be absent may also be `undefined`, which `parseBody` drops. */
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

/** A stored body: every default filled in, deeply readonly. */
export type StoredBody<Make extends () => z.ZodType> = ReadonlyDeep<z.output<ReturnType<Make>>>

/** A body as a caller may give it, before defaults. */
export type GivenBody<Make extends () => z.ZodType> = Loose<z.input<ReturnType<Make>>>
