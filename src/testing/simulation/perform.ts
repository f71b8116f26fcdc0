import type { ChangeResult } from '../../domain/change.ts'
import { MunimentError } from '../../domain/errors.ts'
import { splitRef } from '../../domain/ids.ts'
import { labelNamed } from '../../domain/labels.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { Stack } from '../../stack.ts'
import type { Fault } from '../faulty-store.ts'
import { capture } from './honest.ts'
import type { Act, Doing, Intent, Sim, Together } from './sim.ts'
import { CANARY } from './words.ts'

/** The outcome of one intent, as answered to its writer. */
export interface WriteOutcome {
  readonly intent: Intent
  readonly result: WriteResult | null
  readonly error: MunimentError | null
  /** True when an earlier try of this write ended in a store fault. */
  readonly isRetry: boolean
}

/** The outcome of a change: done, or the reason against. */
export type Done = Pick<ChangeResult, 'changed' | 'reason' | 'entry'>

export interface Performed {
  readonly act: Act
  readonly fault: Fault | null
  readonly told: readonly WriteOutcome[]
  /** The outcome of a change, as answered to the caller. */
  readonly done: Done | null
  /** The error of an act other than a write, if any. */
  readonly error: MunimentError | null
}

const FAULTS = [
  'gather',
  'before_commit',
  'after_commit',
  'after_commit_silent',
  'intruder',
] as const

/** Performs an act on a sound or a failing store, and retries after a fault. */
export async function perform(sim: Sim, act: Act): Promise<Performed> {
  const fault = sim.dice.isLucky(0.3) ? sim.dice.pick(FAULTS) : null
  const stack = fault !== null || sim.dice.isLucky(0.6) ? sim.shaky : sim.steady
  if (act.type !== 'writes' && act.type !== 'change') {
    const error = await caught(() => actOn(sim, act))
    return { act, fault: null, told: [], done: null, error }
  }
  const intruded: WriteOutcome[] = []
  if (fault !== null) {
    sim.intruder = async () => {
      intruded.push(await writeOne(sim.steady, capture(sim)))
    }
    sim.faulty.failNext(fault)
  }
  if (act.type === 'change') {
    let done: Done | null = null
    // A change has no id to recognise a retry by, so a change is not retried after a fault.
    const error = await caught(async () => {
      done = await doOn(stack, act.doing)
    })
    sim.faulty.heal()
    sim.intruder = null
    return { act, fault, told: intruded, done, error }
  }
  const first = await writeAll(stack, act.intents, act.together)
  sim.faulty.heal()
  sim.intruder = null
  const told: WriteOutcome[] = []
  for (const each of first) told.push(isFault(each) ? await again(stack, each) : each)
  return { act, fault, told: [...told, ...intruded], done: null, error: null }
}

const isFault = ({ error }: WriteOutcome): boolean => error?.code === 'store_unavailable'

const again = async (stack: Stack, { intent }: WriteOutcome): Promise<WriteOutcome> => ({
  ...(await writeOne(stack, intent)),
  isRetry: true,
})

async function writeAll(
  stack: Stack,
  intents: readonly Intent[],
  together: Together,
): Promise<readonly WriteOutcome[]> {
  if (together === 'as_group') return Promise.all(intents.map((each) => writeOne(stack, each)))
  if (together === 'as_batch') return writeBatch(stack, intents)
  const told: WriteOutcome[] = []
  for (const intent of intents) told.push(await writeOne(stack, intent))
  return told
}

async function writeOne(stack: Stack, intent: Intent): Promise<WriteOutcome> {
  const base = { intent, result: null, error: null, isRetry: false }
  try {
    return { ...base, result: await stack.write(intent.request, intent.caller) }
  } catch (error) {
    return { ...base, error: codedOrThrow(error) }
  }
}

async function writeBatch(
  stack: Stack,
  intents: readonly Intent[],
): Promise<readonly WriteOutcome[]> {
  const base = { result: null, error: null, isRetry: false }
  const [first] = intents
  if (!first) return []
  try {
    const requests = intents.map(({ request }) => request)
    const written = await stack.writeAll(requests, first.caller)
    if (written.refused) return [{ ...base, intent: first, result: written.result }]
    return intents.map((intent, index) => ({
      ...base,
      intent,
      result: written.results[index] ?? null,
    }))
  } catch (error) {
    return intents.map((intent) => ({ ...base, intent, error: codedOrThrow(error) }))
  }
}

const WHY = `${CANARY} had its reasons` // sealed with every change, and in no entry

async function doOn(stack: Stack, { ref, deed, agent, label, caller }: Doing): Promise<Done> {
  const by = { label: labelNamed(label), actor: agent, caller }
  switch (deed.type) {
    case 'change':
      return stack.changes.change(ref, deed.change, caller.operation, { ...by, reason: WHY })
    case 'supersede': {
      const { entry } = await stack.changes.supersede(ref, deed.statement, by)
      return { changed: true, reason: null, entry }
    }
    case 'accept': {
      const made = await stack.acceptSuggestion(splitRef(ref).id, null, by)
      return { changed: made !== null, reason: made === null ? 'not_pending' : null, entry: null }
    }
  }
}

type Kept = Exclude<Act, { type: 'writes' | 'change' }>

async function actOn(sim: Sim, act: Kept): Promise<void> {
  switch (act.type) {
    case 'clock':
      sim.clock.advance({ minutes: act.minutes })
      return
    case 'state':
      await sim.steady.control.setState(act.to)
      return
    case 'reject':
      await sim.shaky.review.reject(act.ref, act.caller)
      return
    case 'release':
      await sim.shaky.review.release(act.ref, act.caller)
      return
    case 'distrust':
      await sim.shaky.sources.distrust(act.what)
      return
    case 'trust':
      await sim.shaky.sources.trust(act.what)
      return
    case 'erase':
      await sim.steady.erasure.erase(act.ref, { derived: act.derived })
      return
    case 'policy': {
      const { policy } = await sim.steady.control.getPolicy()
      const { quarantineBurstThreshold } = act
      const numbers = { ...policy.numbers, quarantineBurstThreshold }
      await sim.steady.control.setPolicy({ ...policy, numbers })
    }
  }
}

async function caught(work: () => Promise<void>): Promise<MunimentError | null> {
  try {
    await work()
    return null
  } catch (error) {
    return codedOrThrow(error)
  }
}

/** A coded refusal is an answer. Any other error or a broken invariant ends the simulation. */
function codedOrThrow(error: unknown): MunimentError {
  if (error instanceof MunimentError && error.code !== 'invariant') return error
  throw error
}
