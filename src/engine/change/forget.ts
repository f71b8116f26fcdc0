import { isBelieved } from '../../domain/distrust.ts'
import type { RecordKind, Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { salienceAt, strengthAt } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'
import type { Moment } from '../world.ts'
import { type ActOptions, flagOf, given, speakerOf } from '../write/arguments.ts'

export interface ForgettingOptions extends ActOptions {
  readonly protectIdentity?: boolean
  /** List the memories to forget without forgetting them. */
  readonly dryRun?: boolean
}

export interface Forgetting {
  /** Dormant memories considered by the sweep. */
  readonly swept: number
  readonly forgotten: number
  readonly refs: readonly Ref[]
  /** Dormant memories that stay, because they are protected or part of the identity. */
  readonly kept: number
}

/** Kinds of identity: the sweep spares them by default. */
const IDENTITY: ReadonlySet<RecordKind> = new Set(['value', 'drive', 'self_narrative', 'summary'])
/** Kinds on which other memories rest, and records about memory: a sweep never forgets them. */
const GROUND: ReadonlySet<RecordKind> = new Set([
  'raw',
  'claim',
  'epoch',
  'suggestion',
  'assessment',
  'report',
])
const PAGE = 1_000

/** Forgets dormant memories of low salience. A second run finds nothing to do. */
export async function applyForgetting(
  engine: Engine,
  options?: ForgettingOptions | null,
): Promise<Forgetting> {
  const { protectIdentity: spare, dryRun: rehearse, ...who } = given(options)
  const protectIdentity = flagOf('protectIdentity', spare, true)
  const dryRun = flagOf('dryRun', rehearse, false)
  const moment = await engine.moment()
  const { numbers } = moment.policy
  const speaker = speakerOf(engine.stackId, 'apply_forgetting', who)
  const refs: Ref[] = []
  let swept = 0
  let kept = 0
  for await (const state of dormant(engine, moment)) {
    if (GROUND.has(state.kind)) continue
    if (state.isProtected || (protectIdentity && IDENTITY.has(state.kind))) {
      kept += 1
      continue
    }
    swept += 1
    if (salienceAt(state, moment.policy, moment.now) >= numbers.forgetSalienceBelow) continue
    const change = { type: 'forget' } as const
    const text = 'dormant and hardly missed'
    const goes =
      dryRun || (await engine.change({ ref: state.ref, change, text, ...speaker })).changed
    if (goes) refs.push(state.ref)
  }
  return { swept, forgotten: dryRun ? 0 : refs.length, refs, kept }
}

/** Flags each dormant memory once, so that its children are flagged too. */
export async function noteDormant(engine: Engine): Promise<number> {
  const moment = await engine.moment()
  const speaker = speakerOf(engine.stackId, 'maintenance')
  let noted = 0
  for await (const { ref, flags } of dormant(engine, moment)) {
    if (flags.some(({ code }) => code === 'dormant')) continue
    const { changed } = await engine.change({ ref, change: { type: 'note_dormant' }, ...speaker })
    if (changed) noted += 1
  }
  return noted
}

/** Memories below the dormant mark that are not forgotten yet, oldest first. */
async function* dormant(engine: Engine, { policy, now }: Moment): AsyncGenerator<MemoryState> {
  for (let after = -1; ; ) {
    const page = await engine.read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    for (const state of page) {
      const strength = strengthAt(state, policy, now)
      if (state.strength.value === 0 || strength >= policy.numbers.strengthDormantBelow) continue
      if (isBelieved(state.disposition, policy)) yield state
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.seq
  }
}
