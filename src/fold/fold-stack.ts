import type { StandingDistrust } from '../domain/distrust.ts'
import { type Entry, type Facts, isChangeOp } from '../domain/entry.ts'
import type { Hash } from '../domain/ids.ts'
import type { StackState } from '../domain/state.ts'
import type { LifecycleState } from '../domain/vocabulary.ts'

/** What one entry of the stack's own does to its state; entries about memories do nothing here. */
export function foldStack(state: StackState, entry: Entry): StackState {
  const { facts } = entry.decision
  if (isChangeOp(entry.op)) return state
  switch (entry.op) {
    case 'genesis':
      return { ...state, uid: String(facts.uid), replica: entry.replica }
    case 'replica.started':
      return { ...state, replica: entry.replica }
    case 'policy':
      return { ...state, policyHash: facts.hash as Hash } // written by the gate as a hash
    case 'state':
      return { ...state, state: facts.to as LifecycleState } // written by the gate as a state
    case 'enforcement.off':
      return { ...state, enforcing: false }
    case 'enforcement.on':
      return { ...state, enforcing: true }
    case 'clock.corrected':
      return { ...state, corrections: [...state.corrections, entry.seq] }
    case 'quarantine.rejected':
      return { ...state, tombstones: state.tombstones + 1 }
    case 'memory.erased':
    case 'tombstone.kept':
      return { ...state, tombstones: state.tombstones + marksIn(facts) }
    case 'tombstone.lifted':
      return { ...state, tombstones: Math.max(0, state.tombstones - marksIn(facts)) }
    case 'origin.distrusted':
      return { ...state, distrusted: [...state.distrusted, standingIn(entry)] }
    case 'origin.trusted':
      return {
        ...state,
        distrusted: state.distrusted.filter(({ seq }) => seq !== facts.lifts),
      }
    case 'quarantine.released':
    case 'actor.erased':
    case 'memory.saved':
    case 'memory.revised':
    case 'memory.refused':
    case 'memory.collapsed':
    case 'tally':
      return state
  }
}

const standingIn = ({ seq, decision: { facts } }: Entry): StandingDistrust => ({
  origin: facts.origin as StandingDistrust['origin'], // written by the gate as one
  of: String(facts.of),
  seq,
})

const marksIn = ({ tombstones }: Facts): number =>
  Array.isArray(tombstones) ? tombstones.length : 0
