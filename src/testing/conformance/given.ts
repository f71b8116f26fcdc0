import { parseStackId, type StackId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import type { LineNeed, Needs } from '../../domain/waist.ts'
import type { Answer, ReadQuery, Store } from '../../ports/store.ts'
import { digest, Scribe } from './scribe.ts'

/**
 * Optional abilities; a store without an ability gives the reason, and the case is skipped with the
 * reason.
 */
export type Capability = 'reopen' | 'severalStacks' | 'severalWriters'

/** A store from its factory. */
export interface StoreUnderTest {
  readonly store: Store
  /** Closes the store and opens its kept data again. */
  readonly reopen?: () => Promise<Store>
  /** Called after every case, passed or failed. */
  readonly dispose: () => Promise<void>
  readonly lacks?: Readonly<Partial<Record<Capability, string>>>
}

/** The input of every case of the store suite: an empty, separate store. */
export interface StoreGiven {
  readonly store: Store
  readonly stackId: StackId
  readonly scribe: Scribe
  read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>>
  /** The stack after closing and reopening; skips the case when the store cannot reopen. */
  reopen(): Promise<Store>
  /** A second stack in this store; skips the case when the store holds one stack. */
  otherStack(): StackId
  /** A second stack to write while the first stack is locked. */
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

/** A request for a whole timeline, without claims that gave way. */
export const lineNeed = (line: string, more: Partial<LineNeed> = {}): LineNeed => ({
  line: digest(line),
  from: null,
  except: null,
  ...more,
})

/** Empty needs; a case adds its own. */
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
