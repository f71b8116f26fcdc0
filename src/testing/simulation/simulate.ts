import { CLOCK_LIMITS } from '../../domain/limits.ts'
import { toMs } from '../../domain/time.ts'
import type { Store } from '../../ports/store.ts'
import { MemoryStore } from '../../stores/memory/store.ts'
import type { Check, Step } from './check.ts'
import {
  Acknowledged,
  answersNameMemories,
  liesComeToNothing,
  retriesAreIdempotent,
} from './check-answers.ts'
import { changesAreAllowed, deedsEndAsTheyMust, othersAreUntouched } from './check-changes.ts'
import {
  auditIsClean,
  bytesAreCanonical,
  entriesHoldNoContent,
  erasedIsGone,
  everyEntryIsAnAnswer,
  ledgerIsDense,
  nothingOldChanged,
  repeatsAreCounted,
  talliesCount,
} from './check-ledger.ts'
import {
  certificatesAreComplete,
  depthIsCounted,
  lineageIsReal,
  rowsAreBirths,
  tiersAreBounded,
} from './check-memories.ts'
import { honest } from './honest.ts'
import { keeper } from './keeper.ts'
import { launderer } from './launderer.ts'
import { liar } from './liar.ts'
import { looper } from './looper.ts'
import { meddler } from './meddler.ts'
import { NOTHING, observe } from './observe.ts'
import { perform } from './perform.ts'
import { importer, person, seeder } from './person.ts'
import { type Act, makeSim, type Sim } from './sim.ts'

export interface SimulationOptions {
  readonly seed: number
  readonly steps: number
  /** The store of the history; in memory by default. */
  readonly store?: Store
}

export interface SimulationReport {
  readonly seed: number
  readonly steps: number
  readonly entries: number
  readonly memories: number
  readonly acknowledged: number
  /** The number of occurrences of each rule, error and fault. */
  readonly met: Readonly<Record<string, number>>
}

/** A seed and a step are enough to reproduce the failure. */
export class SimulationFailure extends Error {
  constructor(
    seed: number,
    step: number,
    what: { readonly cause: unknown; readonly act: Act | null },
  ) {
    const said = what.cause instanceof Error ? what.cause.message : String(what.cause)
    const again = `MUNIMENT_SEED=${seed} MUNIMENT_STEPS=${step}`
    super(`seed ${seed}, step ${step}: ${said}\n  again: ${again}\n  after: ${brief(what.act)}`, {
      cause: what.cause,
    })
    this.name = 'SimulationFailure'
  }
}

const brief = (act: Act | null): string => JSON.stringify(act)?.slice(0, 600) ?? 'nothing'

const CHECKS: readonly Check[] = [
  nothingOldChanged,
  erasedIsGone,
  ledgerIsDense,
  bytesAreCanonical,
  entriesHoldNoContent,
  everyEntryIsAnAnswer,
  repeatsAreCounted,
  talliesCount,
  certificatesAreComplete,
  lineageIsReal,
  depthIsCounted,
  tiersAreBounded,
  othersAreUntouched,
  changesAreAllowed,
  deedsEndAsTheyMust,
  rowsAreBirths,
  liesComeToNothing,
  retriesAreIdempotent,
  answersNameMemories,
  auditIsClean,
]

/** Runs a history drawn from a seed, and checks every promise after every step. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { seed, steps, store = new MemoryStore() } = options
  const sim = await makeSim(seed, store, NOTHING)
  const acknowledged = new Acknowledged()
  const met: Record<string, number> = {}
  let last: Step | null = null
  for (let step = 1; step <= steps; step += 1) {
    let act: Act | null = null
    try {
      act = nextAct(sim)
      last = await takeStep(sim, act)
      count(met, last)
      for (const check of [...CHECKS, acknowledged.check]) await check(last)
    } catch (cause) {
      throw new SimulationFailure(seed, step, { cause, act })
    }
    // Agents never cite erased memories; other checks prove the erasure.
    sim.known = {
      ...last.after,
      memories: last.after.memories.filter(({ erased }) => erased === null),
    }
  }
  return finish(sim, { steps, met, acknowledged, last })
}

async function finish(
  sim: Sim,
  lived: {
    readonly steps: number
    readonly met: Readonly<Record<string, number>>
    readonly acknowledged: Acknowledged
    readonly last: Step | null
  },
): Promise<SimulationReport> {
  const { steps, met, last } = lived
  const acknowledged = last === null ? 0 : await lived.acknowledged.checkAll(last)
  await Promise.all([sim.shaky.close(), sim.steady.close()])
  const { entries, memories } = sim.known
  return {
    seed: sim.seed,
    steps,
    entries: entries.length,
    memories: memories.length,
    acknowledged,
    met,
  }
}

const AGENTS = [
  honest,
  honest,
  honest,
  keeper,
  keeper,
  keeper,
  meddler,
  looper,
  launderer,
  launderer,
  liar,
  liar,
  person,
  importer,
] as const

function nextAct(sim: Sim): Act {
  const { dice, known } = sim
  sim.clock.advance({ ms: dice.roll(90_000) })
  if (dice.isLucky(0.08)) {
    const minutes = dice.pick([11, 60, 3 * 24 * 60, -5, -600])
    return { type: 'clock', minutes: isPlausible(sim, minutes) ? minutes : 60 }
  }
  if (known.stack.state === 'INITIALIZING' && dice.isLucky(0.4)) return seeder(sim)
  if (known.stack.state === 'MAINTENANCE' && dice.isLucky(0.4)) return person(sim)
  const agent = dice.pick(AGENTS)
  return agent(sim)
}

/** Further behind the last entry every write is refused, and the history could only stand still. */
function isPlausible({ clock, known }: Sim, minutes: number): boolean {
  const last = known.entries.at(-1)?.entry.time
  const behindMs = last === undefined ? 0 : toMs(last) - (clock.now() + minutes * 60_000)
  return behindMs < CLOCK_LIMITS.clockBehindMsMax / 2
}

async function takeStep(sim: Sim, act: Act): Promise<Step> {
  const before = sim.known
  const performed = await perform(sim, act)
  return { sim, before, after: await observe(sim.store, sim.stackId), performed }
}

function count(met: Record<string, number>, { performed }: Step): void {
  const add = (name: string): void => {
    met[name] = (met[name] ?? 0) + 1
  }
  if (performed.fault) add(`fault ${performed.fault}`)
  const { act, done } = performed
  if (act.type === 'change') {
    const { deed } = act.doing
    add(
      `change ${deed.type === 'change' ? deed.change.type : deed.type} ${done?.reason ?? (done ? 'done' : 'failed')}`,
    )
  } else if (act.type !== 'writes') add(`act ${act.type}`)
  if (performed.error) add(`error ${performed.error.code}`)
  for (const { result, error } of performed.told) {
    add(error ? `error ${error.code}` : `rule ${result?.rule} ${result?.disposition}`)
  }
}
