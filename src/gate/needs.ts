import type { ChangeType } from '../domain/change.ts'
import { claimStateOf, holdsFrom } from '../domain/claims.ts'
import { keyNameOf } from '../domain/distrust.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { laterOf, toInstant } from '../domain/time.ts'
import type { Context, LineNeed, Needs } from '../domain/waist.ts'
import type { Command } from '../domain/write.ts'
import { refsOf } from './commands/receive.ts'
import { groundsOf, isReasoned } from './quote.ts'
import { mayRestate } from './restatement.ts'
import type { Candidate } from './stamp.ts'

/** A command after stamping: the input of the gate's decision. */
export type Proposal =
  | { readonly type: 'write'; readonly candidates: readonly Candidate[] }
  | Exclude<Command, { type: 'write' }>

export const candidatesOf = (proposal: Proposal): readonly Candidate[] =>
  proposal.type === 'write' ? proposal.candidates : []

/** Rows that few stacks have; the gate searches for them only in stacks that do. */
export interface RareRows {
  readonly tombstones: boolean
  /** True where a session is distrusted. */
  readonly sessions: boolean
}

/** The needs of all proposals of one group, gathered together. */
export function needsOf(
  proposals: readonly Proposal[],
  { tombstones: hasTombstones, sessions: asksSessions }: RareRows,
): Needs {
  const refs = new Set<Ref>()
  const identities = new Set<Needs['identities'][number]>()
  const lines = new Map<Hash, LineNeed>()
  const actors = new Set<string>()
  const bursts: Needs['bursts'][number][] = []
  const tombstones = new Set<Needs['tombstones'][number]>()
  const reaches: Needs['reaches'][number][] = []
  const children = new Set<Ref>()
  const ancestors = new Set<Ref>()
  const words = new Set<Ref>()
  const doubted: Needs['doubted'][number][] = []
  let until = timesOf(proposals[0])[0] ?? ('' as Needs['until']) // '' sorts before every instant
  for (const proposal of proposals) {
    for (const time of timesOf(proposal)) until = laterOf(until, time)
    if (proposal.type === 'clock') until = END_OF_TIME // every open tally gets its entry before time steps
    for (const candidate of candidatesOf(proposal)) {
      const { main, captures, draft } = candidate
      for (const item of [main, ...captures]) {
        refs.add(item.ref)
        for (const parent of item.derivedFrom) refs.add(parent)
      }
      for (const evidence of draft.sourceEpisodes) refs.add(evidence)
      for (const ground of groundsOf(candidate)) words.add(ground)
      identities.add(main.keys.identity)
      const { line } = main.keys
      if (line) lines.set(line, widest(lines.get(line), needOf(line, candidate)))
      actors.add(draft.origin.sourceId)
      const { session } = draft.caller
      if (asksSessions && session !== null) actors.add(keyNameOf('session', session))
      const repeated = candidate.repeatMark()
      if (repeated !== null) bursts.push({ actor: draft.origin.sourceId, identity: repeated })
      if (hasTombstones) for (const mark of candidate.marks()) tombstones.add(mark)
      if (draft.revises) reaches.push({ from: main.derivedFrom, to: main.ref })
      for (const like of candidate.likes) refs.add(like.ref)
      if (draft.consequence) refs.add(draft.consequence.ref)
    }
    if (proposal.type === 'write') continue
    const { session } = proposal.caller
    if (asksSessions && session !== null) actors.add(keyNameOf('session', session))
    if (proposal.type === 'change') {
      actors.add(proposal.actor)
      refs.add(proposal.ref)
      const { change } = proposal
      if (CASCADES.has(change.type)) children.add(proposal.ref)
      if (change.type === 'process') for (const ref of change.into) refs.add(ref)
      if (change.type === 'resolve' && change.into !== null) refs.add(change.into)
      if (change.type === 'note_contradiction') refs.add(change.against)
      if (change.type === 'adjudicate' || change.type === 'lapse') {
        lines.set(change.line, { line: change.line, from: null, except: null })
      }
      if (change.type === 'adjudicate') {
        for (const ref of change.evidence) refs.add(ref)
      }
      if (change.type === 'verify' || change.type === 'reinforce') {
        for (const ref of [proposal.ref, ...change.evidence]) ancestors.add(ref)
      }
    } else if (proposal.type === 'distrust') {
      const { what } = proposal
      actors.add(proposal.actor)
      doubted.push(what)
      if (what.type === 'memory') refs.add(what.ref)
      else if (what.type !== 'door') actors.add(keyNameOf(what.type, what.name))
    } else if (proposal.type === 'erase') {
      actors.add(proposal.actor)
      if (proposal.shred !== null) actors.add(proposal.shred)
      for (const { line, others } of proposal.lines) {
        lines.set(line, { line, from: null, except: null })
        for (const ref of others) refs.add(ref)
      }
      doubted.push({ type: 'memories', refs: proposal.targets.map(({ ref }) => ref) })
      for (const { ref, marks } of proposal.targets) {
        refs.add(ref)
        children.add(ref)
        for (const mark of marks) tombstones.add(mark)
      }
    } else {
      actors.add(proposal.actor)
      if (proposal.type === 'receive') for (const ref of refsOf(proposal)) refs.add(ref)
      const hasMarks = proposal.type === 'readmit' || proposal.type === 'keepOut'
      if (hasMarks) for (const mark of proposal.marks) tombstones.add(mark)
      if (proposal.type === 'release') {
        const { ref, line, identity, burst } = proposal
        ancestors.add(ref)
        identities.add(identity)
        if (burst !== null) bursts.push(burst)
        if (burst !== null) actors.add(burst.actor)
        if (line !== null) lines.set(line, { line, from: null, except: ref })
      }
      if (proposal.type === 'reject') {
        refs.add(proposal.ref)
        tombstones.add(proposal.mark)
      }
    }
  }
  return {
    refs: [...refs],
    identities: [...identities],
    lines: [...lines.values()],
    actors: [...actors],
    bursts,
    tombstones: [...tombstones],
    reaches,
    children: [...children],
    ancestors: [...ancestors],
    doubted,
    words: [...words],
    until,
  }
}

/**
 * The needs again with names that only the gathered rows could give: the sources of a revised
 * memory, and their words. Returns the same object where nothing is missing.
 */
export function completeNeeds(
  needs: Needs,
  proposals: readonly Proposal[],
  { memories }: Pick<Context, 'memories'>,
): Needs {
  const known = new Map(memories.map((memory) => [memory.ref, memory]))
  const refs = new Set(needs.refs)
  const words = new Set(needs.words)
  const ancestors = new Set(needs.ancestors)
  const bursts = new Map(needs.bursts.map((each) => [burstKey(each), each]))
  const size = (): number => refs.size + words.size + ancestors.size + bursts.size
  const before = size()
  const candidates = proposals.flatMap(candidatesOf)
  for (const candidate of candidates) {
    const { main, draft } = candidate
    const restated = restatedBy(candidate, memories)
    const isTwin = (other: Candidate): boolean =>
      other !== candidate && other.main.keys.identity === main.keys.identity
    // A cited memory may descend from the memory that the draft revises.
    const isReaching = restated.length > 0 || candidates.some(isTwin)
    if (isReaching && mayRestate(candidate)) for (const ref of main.derivedFrom) ancestors.add(ref)
    for (const { ref } of restated) words.add(ref)
    for (const { ref } of candidate.likes) {
      const near = known.get(ref)
      if (near?.rewordingOf) refs.add(near.rewordingOf)
      const original = near?.rewordingOf ? known.get(near.rewordingOf) : near
      const identity = original && candidate.repeatMarkOf(original.identity)
      const burst = identity && { actor: draft.origin.sourceId, identity }
      if (burst) bursts.set(burstKey(burst), burst)
    }
    if (draft.revises?.orPropose) words.add(main.ref)
    const revised = draft.revises === null ? restated : [known.get(main.ref) ?? []].flat()
    for (const parent of revised.flatMap(({ parents }) => parents)) {
      refs.add(parent)
      if (isReasoned(candidate)) words.add(parent)
    }
  }
  if (size() === before) return needs
  return {
    ...needs,
    refs: [...refs],
    words: [...words],
    ancestors: [...ancestors],
    bursts: [...bursts.values()],
  }
}

const burstKey = ({ actor, identity }: Needs['bursts'][number]): string => `${identity} ${actor}`

/** Memories with the draft's words and another body. */
const restatedBy = (candidate: Candidate, memories: Context['memories']): Context['memories'] =>
  mayRestate(candidate)
    ? memories.filter(
        ({ identity, contentHash }) =>
          identity === candidate.main.keys.identity && contentHash !== candidate.main.contentHash,
      )
    : []

function needOf(line: Hash, { main, draft }: Candidate): LineNeed {
  const claim = claimStateOf(main.kind, main.body)
  return { line, from: claim && holdsFrom(claim), except: draft.revises ? main.ref : null }
}

/** A revision is a group of its own, so that no two revisions ever except different claims. */
function widest(known: LineNeed | undefined, need: LineNeed): LineNeed {
  if (known === undefined) return need
  const { from } = known
  const isWider = from === null || (need.from !== null && from <= need.from)
  return isWider ? known : need
}

const END_OF_TIME = toInstant(Date.UTC(9999, 11, 31, 23, 59, 59, 999))

/** Changes that affect the memories derived from a memory. */
export const CASCADES: ReadonlySet<ChangeType> = new Set([
  'forget',
  'weaken',
  'recover',
  'note_dormant',
])

/** The clock readings that a proposal brings along. */
export const timesOf = (proposal: Proposal | undefined): readonly Needs['until'][] => {
  if (proposal === undefined) return []
  const drafts = candidatesOf(proposal).map(({ arrival }) => arrival.time)
  return proposal.type === 'write' ? drafts : [proposal.arrival.time, ...drafts]
}
