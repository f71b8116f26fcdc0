import type { z } from 'zod'
import type { Kind, RecordKind } from '../kind-names.ts'
import { once } from '../once.ts'

/** Confidence fades by `rate` every `periodDays` without confirmation, never below `floor`. */
export interface ConfidenceDecay {
  readonly rate: number
  readonly periodDays: number
  readonly floor: number
}

/** How soon a kind comes to mind in `load`: a base, and a bonus from one field divided by a number. */
export interface LoadPriority {
  readonly base: number
  readonly bonus?: { readonly from: string; readonly divisor: number }
  /** Summaries differ by scope: the base of the scope wins over `base`. */
  readonly baseByScope?: Readonly<Record<string, number>>
}

export interface SourceRule {
  /** How many parents a memory of this kind needs at least. */
  readonly min: 0 | 1
  readonly from: readonly Kind[]
  /** A memory of this kind may also cite the one it revises, beside a parent from the list. */
  readonly revises: boolean
}

/** Which fields of a body lists are filtered by. */
export interface FacetFields {
  readonly subtype?: string
  readonly status?: string
  readonly name?: string
}

/** Shared by everything that carries none. */
export const CONTEXT_FREE: readonly string[] = []

export interface KindDefinition<Body extends object = object> {
  readonly kind: RecordKind
  readonly body: z.ZodType<Body>
  /** What it says, as one text: identity, search, lint and display all read this. */
  readonly text: (body: Body) => string
  /** Asserting kinds can be echoed, burst and tombstoned; events happen as often as they happen. */
  readonly asserts: boolean
  readonly sources: SourceRule
  readonly decay: ConfidenceDecay | null
  readonly load: LoadPriority | null
  readonly facets: FacetFields
  /** A weight of its own, where it is not the bonus of `load`. */
  readonly weight?: (body: Body) => number
  /** Confidence when the caller gives none. */
  readonly confidence: number
  /** Whether a new memory of this kind starts out guarded from forgetting. */
  readonly isProtected: (body: Body) => boolean
}

/** A kind as it is written down. A process meets few of them: each body's schema is made on demand. */
type Described<Body extends object> = Omit<KindDefinition<Body>, 'body'> & {
  readonly body: () => z.ZodType<Body>
}

/** Gives a definition its body type without widening it. */
export function defineKind<Body extends object>(definition: Described<Body>): KindDefinition<Body> {
  const body = once(definition.body)
  return {
    ...definition,
    get body() {
      return body()
    },
  }
}
