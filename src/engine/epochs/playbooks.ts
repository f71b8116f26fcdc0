import { MunimentError, VersionConflictError } from '../../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import type { PlaybookBody } from '../../domain/kinds/playbook.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import { isGone } from '../../domain/state.ts'
import { isAccepted } from '../../domain/write.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { gated } from '../read/use-gate.ts'
import { type ActOptions, given, speakerOf, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'

type Mastery = PlaybookBody['masteryLevel']

/** So many uses, of which so many went well; the first that fits. */
const LEVELS: readonly (readonly [level: Mastery, usesMin: number, successMin: number])[] = [
  ['expert', 20, 0.9],
  ['proficient', 10, 0.8],
  ['competent', 5, 0.7],
]

/** Mastery by past results: a playbook that fails again and again is not mastered. */
export const masteryOf = (timesUsed: number, successRate: number): Mastery =>
  LEVELS.find(([, uses, success]) => timesUsed >= uses && successRate >= success)?.[0] ?? 'novice'

/** A playbook after one more use. */
export function usedOnce(
  body: PlaybookBody,
  { hasSucceeded, at }: { readonly hasSucceeded: boolean; readonly at: PlaybookBody['lastUsed'] },
): PlaybookBody {
  const timesUsed = body.timesUsed + 1
  // Counted in whole uses, so that no share of one gets lost on the way.
  const succeeded = Math.round(body.successRate * body.timesUsed) + (hasSucceeded ? 1 : 0)
  const successRate = succeeded / timesUsed
  const used = { timesUsed, successRate, masteryLevel: masteryOf(timesUsed, successRate) }
  return { ...body, ...used, ...(at === undefined ? {} : { lastUsed: at }) }
}

export interface UsePlaybookOptions extends ActOptions {
  /** True if the use succeeded. */
  readonly hasSucceeded: boolean
  /** The episode of the use, added to the playbook's sources; required for a model. */
  readonly episode?: string
}

const TRIES_MAX = 20 // while others use the same playbook

/** Counts a use of a playbook and updates the mastery. An echo does not count. */
export async function usePlaybook(
  engine: Engine,
  ref: string,
  asked: UsePlaybookOptions,
): Promise<Memory<'playbook'>> {
  const used = await countUse(engine, ref, asked)
  return gated(used, (await engine.moment()).policy, given(asked))
}

async function countUse(
  engine: Engine,
  ref: string,
  asked: UsePlaybookOptions,
): Promise<Memory<'playbook'>> {
  const { hasSucceeded, episode, ...options } = given(asked)
  if (typeof hasSucceeded !== 'boolean') throw wrong('hasSucceeded', 'true or false')
  const parsed = parseRef(ref)
  const use = episode === undefined ? null : parseRef(episode)
  const { label } = speakerOf(engine.stackId, 'update_playbook', options)
  // Without episodes a model could claim mastery by repetition.
  if (label.type === 'ModelDerived' && use === null) {
    throw new MunimentError('invalid_input', 'A model shows the episode in which it used it.', {
      hint: 'Record an episode of the use, and give its ref as `episode`.',
      issues: [{ path: 'episode', message: 'expected the ref of an episode' }],
    })
  }
  if (use !== null && splitRef(use).kind !== 'episode')
    throw wrong('episode', 'the ref of an episode')
  if (label.type === 'RecallReEntry' || (use && (await isEcho(engine, use)))) {
    return playbookAt(engine, parsed)
  }
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const playbook = await playbookAt(engine, parsed)
    // Each episode counts once; the original sources of the playbook are no uses.
    if (use && sourcesIn(playbook.provenance).includes(use)) return playbook
    const record = {
      ...usedOnce(playbook.body, { hasSucceeded, at: engine.now() }),
      id: playbook.id,
      ...(use && { derivedFrom: [use] }),
    }
    try {
      const how = { expectedVersion: playbook.version, options }
      const result = await revise(engine, 'playbook', record, how)
      if (result && !isAccepted(result)) throw refusalError(result)
      // A simultaneous use wrote an equal revision; this use still needs a count.
      if (result?.reasons.includes('already_saved')) continue
      return await playbookAt(engine, parsed)
    } catch (cause) {
      if (!(cause instanceof VersionConflictError)) throw cause
    }
  }
  throw new MunimentError('backpressure', `${ref} is being used by too many at once.`)
}

/** An echoed or forgotten episode is no use. */
async function isEcho(engine: Engine, episode: Ref): Promise<boolean> {
  const stored = await engine.read({ type: 'memory', ref: episode })
  return stored !== null && (stored.state.label === 'RecallReEntry' || isGone(stored.state))
}

async function playbookAt(
  engine: Engine,
  ref: ReturnType<typeof parseRef>,
): Promise<Memory<'playbook'>> {
  const stored =
    splitRef(ref).kind === 'playbook' ? await engine.read({ type: 'memory', ref }) : null
  if (!stored?.sealed) throw new MunimentError('not_found', `${ref} is no playbook of this stack.`)
  return viewOf<'playbook'>(stored, await engine.moment())
}
