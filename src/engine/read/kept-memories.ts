import type { ShelvedMemory } from '../../ports/store.ts'
import { isLastingWish } from '../../recall/wish.ts'
import type { Engine } from '../engine.ts'
import { type Candidate, type CandidateQuery, candidateOf } from './load.ts'
import { wordsOf } from './memory-view.ts'

const WISH_PRIORITY = 0.66 // a prompt has no place of its own in working memory, a wish has

/** Kept because a person asked: a wish, an open goal, a decision. */
export function isKept({ kind, tier, facets }: ShelvedMemory['state'], text: string): boolean {
  if (kind === 'goal') return facets.status === 'active'
  if (kind !== 'note' && kind !== 'raw') return false
  if (facets.subtype === 'decision') return true
  return isLastingWish(text, tier === 3 ? 'person' : 'another')
}

const KEPT_LOOKED_AT = 400 // newest memories of a kind among which wishes are looked for

/** Memories that a person asked to keep, and claims of persons, however much came since. */
export async function keptByPersons(
  engine: Engine,
  { moment, where, gate }: Pick<CandidateQuery, 'moment' | 'where' | 'gate'>,
): Promise<readonly Candidate[]> {
  const present = { ...where, present: true, withoutCaptures: true } as const
  const queries = [
    { ...present, kind: 'raw', byPerson: true },
    { ...present, kind: 'claim', byPerson: true },
    { ...present, kind: 'note' },
    { ...present, kind: 'note', subtype: 'decision' },
    { ...present, kind: 'goal', status: 'active' },
  ] as const
  const kept: Candidate[] = []
  for (const filter of queries) {
    const asked = { type: 'memories', as: 'section', where: filter, order: 'newest' } as const
    const rows: readonly ShelvedMemory[] = await engine.read({
      ...asked,
      after: null,
      limit: KEPT_LOOKED_AT,
    })
    for (const shelved of rows) {
      if (kept.some(({ ref }) => ref === shelved.state.ref)) continue
      const candidate =
        shelved.state.kind === 'raw' ? promptOf(shelved) : candidateOf(shelved, moment)
      const isSought = candidate?.isKept || candidate?.kind === 'claim'
      if (candidate && isSought && gate.isOpenTo(shelved.state)) kept.push(candidate)
    }
  }
  return kept
}

function promptOf(shelved: ShelvedMemory): Candidate {
  const { state } = shelved
  const opened = wordsOf(shelved)
  const { text } = opened
  const known = { ref: state.ref, kind: state.kind, text, shelved, opened, rewordings: [] }
  return { ...known, priority: WISH_PRIORITY, isStrong: true, isKept: isKept(state, text) }
}
