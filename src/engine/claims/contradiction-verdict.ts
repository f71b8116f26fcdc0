import type { Change } from '../../domain/change.ts'
import type { Ref } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import type { Answered, ReviewAnswer } from '../review/review-answer.ts'
import type { Moment } from '../world.ts'
import { type ActOptions, speakerOf } from '../write/speaker.ts'

/** The memories that a memory contradicts, as far as they still stand. */
export async function othersStanding(
  { read }: Pick<Engine, 'read'>,
  { state }: StoredMemory,
  { policy }: Pick<Moment, 'policy'>,
): Promise<readonly StoredMemory[]> {
  const refs = state.flags.flatMap(({ code, by }) => (code === 'contradicts' && by ? [by] : []))
  const others = await Promise.all(refs.map((ref) => read({ type: 'memory', ref })))
  return others
    .filter((other) => other !== null)
    .filter(
      ({ state: { erased, strength, disposition } }) =>
        erased === null && strength.value > 0 && !policy.notBelieved.includes(disposition),
    )
}

interface Deciding {
  readonly answer: ReviewAnswer
  readonly who: ActOptions
  readonly reason: string | null
}

/** The newer is right (`accept`), the older are (`dismiss`), or all may stand (`keep`). */
export async function decideBetween(
  engine: Engine,
  stored: StoredMemory,
  { answer, who, reason }: Deciding,
): Promise<Answered> {
  const { ref } = stored.state
  const speaker = speakerOf(engine.stackId, 'resolve_review', who)
  if (!isFirstHand(speaker.label)) return { taken: false, became: null }
  const others =
    answer === 'accept' ? await othersStanding(engine, stored, await engine.moment()) : []
  const wrong = answer === 'dismiss' ? [stored] : others
  for (const { state } of wrong) {
    const { changed, reason: why } = await engine.change({
      ref: state.ref,
      change: puttingAside(state.ref),
      text: reason,
      ...speaker,
    })
    // An already deactivated memory needs no change; a refused change leaves the question open.
    if (!changed && why !== 'already_so' && why !== null) {
      return { taken: false, became: null, reason: why }
    }
  }
  const { changed } = await engine.change({
    ref,
    change: { type: 'clear' },
    text: reason,
    ...speaker,
  })
  return { taken: changed, became: null }
}

/** A belief is deactivated; any other memory is forgotten and can be recovered. */
const puttingAside = (ref: Ref): Change =>
  ref.startsWith('belief:') ? { type: 'deactivate' } : { type: 'forget' }
