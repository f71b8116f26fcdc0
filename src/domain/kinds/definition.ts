import type { z } from 'zod'
import { once } from '../errors.ts'
import type { Kind, RecordKind } from '../ids.ts'
import type { JsonValue } from './json-value.ts'

/** Confidence fades by `rate` every `periodDays` without confirmation, never below `floor`. */
export interface ConfidenceDecay {
  readonly rate: number
  readonly periodDays: number
  readonly floor: number
}

/** Rank of a kind in `load`: a base, and a bonus from a field divided by a number. */
export interface LoadPriority {
  readonly base: number
  readonly bonus?: { readonly from: string; readonly divisor: number }
  /** Summaries differ by scope: the base of the scope wins over `base`. */
  readonly baseByScope?: Readonly<Record<string, number>>
}

export interface SourceRule {
  readonly min: 0 | 1
  readonly from: readonly Kind[]
  /** A memory of this kind may also cite the revised memory, beside a parent from the list. */
  readonly revises: boolean
}

/** Fields of a body that lists filter by. */
export interface FacetFields {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
}

/** An empty list shared by all memories without tags. */
export const CONTEXT_FREE: readonly string[] = []

export interface KindDefinition<Body extends object = object> {
  readonly kind: RecordKind
  readonly body: z.ZodType<Body>
  /** The content as a single text, read by identity, search, lint and display. */
  readonly text: (body: Body) => string
  /** Asserting kinds can be echoed, burst and tombstoned; an event may happen again. */
  readonly asserts: boolean
  readonly sources: SourceRule
  readonly decay: ConfidenceDecay | null
  readonly load: LoadPriority | null
  readonly facets: FacetFields
  /** The kind's own weight, where the bonus of `load` is not the weight. */
  readonly weight?: (body: Body) => number
  readonly confidence: number
  /** True if new memories of this kind are guarded from forgetting. */
  readonly isProtected: (body: Body) => boolean
}

/** A kind as written in its file. Body schemas are made on demand: a process uses few kinds. */
type Described<Body extends object> = Omit<KindDefinition<Body>, 'body'> & {
  readonly body: () => z.ZodType<Body>
}

/** Builds the schema of a kind on first use. */
export function defineKind<Body extends object>(definition: Described<Body>): KindDefinition<Body> {
  const body = once(definition.body)
  return {
    ...definition,
    get body() {
      return body()
    },
  }
}

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
