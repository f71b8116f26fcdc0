import { parseStackId, type StackId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { LineNeed, Needs } from '../../domain/waist.ts'
import type { Answer, ReadQuery, Store } from '../../ports/store.ts'
import { digest, Scribe } from './scribe.ts'

/** What not every store can do; one that lacks it says why, and the case is left out with that. */
export type Capability = 'reopen' | 'severalStacks' | 'severalWriters'

/** A store as its maker hands it over. */
export interface StoreUnderTest {
  readonly store: Store
  /** Closes the store and opens again what it kept. */
  readonly reopen?: () => Promise<Store>
  /** Called after the case, whatever became of it. */
  readonly dispose: () => Promise<void>
  readonly lacks?: Readonly<Partial<Record<Capability, string>>>
}

/** What every case of the store suite is given: an empty store of its own. */
export interface StoreGiven {
  readonly store: Store
  readonly stackId: StackId
  readonly scribe: Scribe
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
  /** The same stack after closing and opening; ends the case where a store cannot. */
  reopen(): Promise<Store>
  /** A second stack in the same store; ends the case where a store holds one. */
  otherStack(): StackId
  /** The same, to be written while the first one's lock is held. */
  otherWriter(): StackId
}

const STACK = parseStackId('conformance')
const OTHER_STACK = parseStackId('conformance-2')

/** `leaveOut` ends a case without failing it: in vitest, `context.skip`. */
export function givenStore(made: StoreUnderTest, leaveOut: (reason: string) => never): StoreGiven {
  const { store, reopen, lacks = {} } = made
  const otherStack = (): StackId =>
    lacks.severalStacks === undefined ? OTHER_STACK : leaveOut(lacks.severalStacks)
  return {
    store,
    stackId: STACK,
    scribe: new Scribe(STACK),
    read: (query) => store.read(STACK, query),
    reopen: () => reopen?.() ?? leaveOut(lacks.reopen ?? 'no reopen was given'),
    otherStack,
    otherWriter: () =>
      lacks.severalWriters === undefined ? otherStack() : leaveOut(lacks.severalWriters),
  }
}

/** A line asked for whole, but for what gave way. */
export const lineNeed = (line: string, more: Partial<LineNeed> = {}): LineNeed => ({
  line: digest(line),
  from: null,
  except: null,
  ...more,
})

/** Needs that ask for nothing; a case adds what it is about. */
export const needing = (what: Partial<Needs> = {}): Needs => ({
  refs: [],
  identities: [],
  lines: [],
  actors: [],
  bursts: [],
  tombstones: [],
  reaches: [],
  children: [],
  ancestors: [],
  doubted: [],
  words: [],
  until: '2026-01-01T00:00:00.000Z' as Instant, // an instant, written out
  ...what,
})
