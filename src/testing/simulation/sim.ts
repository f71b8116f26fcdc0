import { memoryKeyring } from '../../compose/keyring.ts'
import { openStack } from '../../compose/open-stack.ts'
import type { Change, UnchangedReason } from '../../domain/change.ts'
import type { Caller, Door } from '../../domain/doors.ts'
import type { DerivedChoice } from '../../domain/erasure.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { parseStackId, type Ref, type StackId } from '../../domain/ids.ts'
import type { LabelName } from '../../domain/labels.ts'
import type { RuleName } from '../../domain/vocabulary.ts'
import type { DistrustWhat } from '../../engine/distrust/distrust.ts'
import type { WriteRequest } from '../../engine/write/write-request.ts'
import type { Store } from '../../ports/store.ts'
import type { IdSource } from '../../ports/world.ts'
import type { Stack } from '../../stack.ts'
import { FaultyStore } from '../faulty-store.ts'
import {
  countingIds,
  type Dice,
  type FakeClock,
  fakeClock,
  seededDice,
  seededRandom,
} from '../world.ts'
import type { Observation } from './observe.ts'
import { CANARY } from './words.ts'

/** One complete write of an agent, so that a retry can repeat the write. */
export interface Intent {
  readonly agent: string
  readonly request: WriteRequest & { readonly id: string }
  readonly caller: Caller
  /** The required end of a lie; absent when the gate is free to decide. */
  readonly mustEnd?: MustEnd
}

export type MustEnd =
  | { readonly in: 'error'; readonly codes: readonly ErrorCode[] }
  | { readonly in: 'refusal'; readonly rule: RuleName }

/** A change of a memory after its birth, requested by an actor. */
export interface Doing {
  readonly agent: string
  readonly ref: Ref
  readonly deed:
    | { readonly type: 'change'; readonly change: Change }
    | { readonly type: 'supersede'; readonly statement: string }
    | { readonly type: 'accept' }
  readonly label: LabelName
  readonly caller: Caller
  /** The required end: an error, or an answer without a change for this reason. */
  readonly mustEnd?: ErrorCode | UnchangedReason
}

export type Act =
  | { readonly type: 'change'; readonly doing: Doing }
  | { readonly type: 'writes'; readonly intents: readonly Intent[]; readonly together: Together }
  | { readonly type: 'state'; readonly to: 'ACTIVE' | 'MAINTENANCE' }
  | { readonly type: 'reject'; readonly ref: Ref; readonly caller: Caller }
  | { readonly type: 'release'; readonly ref: Ref; readonly caller: Caller }
  | { readonly type: 'distrust' | 'trust'; readonly what: DistrustWhat }
  | { readonly type: 'erase'; readonly ref: Ref; readonly derived: DerivedChoice }
  | { readonly type: 'policy'; readonly quarantineBurstThreshold: number }
  | { readonly type: 'clock'; readonly minutes: number }

/** In sequence, as one waiting group, or all or nothing. */
export type Together = 'in_turn' | 'as_group' | 'as_batch'

/** A world with one stack, written by two processes; the store of one process fails. */
export interface Sim {
  readonly seed: number
  readonly dice: Dice
  readonly clock: FakeClock
  readonly ids: IdSource
  readonly stackId: StackId
  readonly store: Store
  readonly faulty: FaultyStore
  /** The process with the failing store. */
  readonly shaky: Stack
  /** A second process on this stack, with a sound store. */
  readonly steady: Stack
  /** The state after the last step: agents cite and derive from this state. */
  known: Observation
  /** The intruder's next write between gathering and committing. */
  intruder: (() => Promise<void>) | null
}

export async function makeSim(seed: number, store: Store, known: Observation): Promise<Sim> {
  const clock = fakeClock()
  const ids = countingIds(seed)
  const keyring = memoryKeyring()
  const stackId = parseStackId('simulated')
  let sim: Sim | null = null
  const faulty = new FaultyStore(store, { intrude: async () => sim?.intruder?.() })
  const open = (on: Store, salt: number): Promise<Stack> =>
    openStack(stackId, { store: on, clock, ids, random: seededRandom(seed * 2 + salt), keyring })
  sim = {
    seed,
    dice: seededDice(seed),
    clock,
    ids,
    stackId,
    store,
    faulty,
    shaky: await open(faulty, 0),
    steady: await open(store, 1),
    known,
    intruder: null,
  }
  return sim
}

export const callerAt = (door: Door, more: Partial<Caller> = {}): Caller => ({
  door,
  operation: `${CANARY}_operation`,
  person: false,
  grant: null,
  session: `${CANARY}-session`,
  turn: null,
  ...more,
})
