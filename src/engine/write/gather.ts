import { sessionsAt } from '../../domain/doors.ts'
import { type Hash, type MemoryId, type Ref, type StackId, splitRef } from '../../domain/ids.ts'
import { type ClaimBody, claimValueText } from '../../domain/kinds/claim.ts'
import { contentText, definitionOf } from '../../domain/kinds/table.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { StackState } from '../../domain/state.ts'
import { type Batch, type Head, isSameHead } from '../../domain/waist.ts'
import type { Command } from '../../domain/write.ts'
import type { Gathered } from '../../gate/gate.ts'
import { completeNeeds, needsOf, type Proposal } from '../../gate/needs.ts'
import { type Candidate, type Likeness, stamp, type Tools } from '../../gate/stamp.ts'
import type { ServedPrint } from '../../ports/receipts.ts'
import type { Reader } from '../../ports/store.ts'
import type { KnownPrints } from '../../recall/embed/known-prints.ts'
import { likest } from '../../recall/embed/likeness.ts'
import { type Print, printOf, underHeading, withoutHeading } from '../../recall/embed/print.ts'
import { openSealed } from '../read/memory-view.ts'
import type { Serving } from '../read/served.ts'
import type { CommitListener } from './sequencer.ts'
import { inEpoch } from './write-request.ts'

/** A command with its drafts stamped in the epoch that was open when last seen. */
export interface StampedCommand {
  readonly command: Command
  readonly proposal: Proposal
  readonly epochId: MemoryId | null
}

interface GatheredGroup {
  readonly group: readonly StampedCommand[]
  readonly gathered: Gathered
}

interface GathererParts {
  readonly stackId: StackId
  readonly tools: Tools
  /** Called with the stack's state after each gathering. */
  readonly observed: (stack: StackState) => void
}

/** Reads what the gate needs for a group, the open epoch included. */
export class Gatherer {
  readonly #parts: GathererParts
  /** Rows that the ledger holds seldom; gathered only after the first sign of them. */
  #rare = { tombstones: false, sessions: false }
  /** The open epoch at a head; unknown before the first read and after a new epoch. */
  #epoch: { readonly id: MemoryId | null; readonly head: Head } | null = null

  constructor(parts: GathererParts) {
    this.#parts = parts
  }

  stamp(command: Command, epochId = this.#epoch?.id ?? null): StampedCommand {
    if (command.type !== 'write') return { command, proposal: command, epochId }
    const candidates = command.drafts.map(({ draft, arrival }) =>
      stamp({ draft: inEpoch(draft, epochId), arrival }, this.#parts.tools),
    )
    return { command, proposal: { type: 'write', candidates }, epochId }
  }

  /**
   * Gathers, and then reads the open epoch: a later change of the epoch moves the head, and the
   * commit expects the gathered head. Drafts of another epoch are stamped and gathered again.
   */
  async gather(store: Reader, stamped: readonly StampedCommand[]): Promise<GatheredGroup> {
    for (let group = stamped; ; ) {
      const proposals = group.map(({ proposal }) => proposal)
      const gathered = await this.#gatherFor(store, proposals)
      if (!group.some(isPlaced)) return { group, gathered }
      const id = await this.#openEpoch(store, gathered.context.tip.head)
      const isOutdated = (each: StampedCommand): boolean => isPlaced(each) && each.epochId !== id
      if (!group.some(isOutdated)) return { group, gathered }
      group = group.map((each) => (isOutdated(each) ? this.#restamped(each, id) : each))
    }
  }

  /** Similar memories were looked up by the words, which the epoch does not change. */
  #restamped({ command, proposal: before }: StampedCommand, id: MemoryId | null): StampedCommand {
    const { proposal, ...again } = this.stamp(command, id)
    if (proposal.type !== 'write' || before.type !== 'write') return { proposal, ...again }
    const candidates = proposal.candidates.map((candidate, at) => {
      return { ...candidate, likes: before.candidates[at]?.likes ?? [] }
    })
    return { ...again, proposal: { type: 'write', candidates } }
  }

  /** Only the newest epoch can be open. */
  async #openEpoch(store: Reader, head: Head): Promise<MemoryId | null> {
    if (this.#epoch && isSameHead(this.#epoch.head, head)) return this.#epoch.id
    const where = { kind: 'epoch', present: true } as const
    const [newest] = await store.read(this.#parts.stackId, { type: 'memories', where, limit: 1 })
    const isOpen = newest?.sealed && newest.state.strength.value > 0 && !isEnded(newest.sealed)
    const id = isOpen ? newest.state.id : null
    this.#epoch = { id, head }
    return id
  }

  /** The own commit of a group moves the head, and the epoch stays unless the batch changed it. */
  committed({ memories, tip }: Batch, expected: Head): void {
    if (this.#epoch === null || !isSameHead(this.#epoch.head, expected)) return
    const isChanged = memories.some(({ kind }) => kind === 'epoch')
    this.#epoch = isChanged ? null : { ...this.#epoch, head: tip.head }
  }

  async #gatherFor(store: Reader, proposals: readonly Proposal[]): Promise<Gathered> {
    for (;;) {
      const rare = this.#rare
      const needs = needsOf(proposals, rare)
      const context = await store.gather(this.#parts.stackId, needs)
      const gathered = await this.#completed(store, proposals, { needs, context })
      const { stack } = gathered.context
      this.#parts.observed(stack)
      const has = {
        tombstones: rare.tombstones || stack.tombstones > 0,
        sessions: rare.sessions || stack.distrusted.some(({ origin }) => origin === 'session'),
      }
      this.#rare = has
      if (rare.tombstones === has.tombstones && rare.sessions === has.sessions) return gathered
    }
  }

  /** Rows may name further rows: a rewording its original, and the original its counter. */
  async #completed(
    store: Reader,
    proposals: readonly Proposal[],
    gathered: Gathered,
  ): Promise<Gathered> {
    const needs = completeNeeds(gathered.needs, proposals, gathered.context)
    if (needs === gathered.needs) return gathered
    const context = await store.gather(this.#parts.stackId, needs)
    return this.#completed(store, proposals, { needs, context })
  }
}

const isPlaced = ({ command }: StampedCommand): boolean =>
  command.type === 'write' && command.drafts.some(({ draft }) => draft.inOpenEpoch)

const isEnded = (sealed: Parameters<typeof openSealed>[0]): boolean => {
  const { endedAt } = openSealed(sealed).body as { readonly endedAt?: string } // an epoch
  return endedAt !== undefined
}

const LIKES_MAX = 8 // memories for the gate to choose among

/** A draft of the current group. */
interface Draft {
  readonly ref: Ref
  readonly actor: string
  readonly print: Print
  readonly identity: Hash
}

/**
 * Finds memories that a model's draft may repeat, among the memories that the actor wrote or
 * received.
 */
export class Recogniser implements CommitListener {
  readonly #serving: Pick<Serving, 'told' | 'toldTo' | 'noteWritten'>
  #drafts: Draft[] = []
  /** Prints of an actor's earlier writes; within a group they stay, and an import has thousands. */
  readonly #writtenBy = new Map<string, Promise<KnownPrints<ServedPrint>>>()

  constructor(serving: Pick<Serving, 'told' | 'toldTo' | 'noteWritten'>) {
    this.#serving = serving
  }

  async likesOf({ draft, arrival, main }: Candidate): Promise<readonly Likeness[]> {
    const { label, sourceId: actor } = draft.origin
    const { person, door } = draft.caller
    if (!definitionOf(main.kind).asserts || isFirstHand(label)) return []
    if (person || door === 'hook') return []
    const { print, heading } = comparedOf(main)
    const serving = this.#serving
    const written = this.#writtenBy.get(actor) ?? serving.toldTo(actor)
    this.#writtenBy.set(actor, written)
    const told = [await written]
    for (const session of sessionsAt(draft.caller, arrival.time))
      told.push(await serving.told(session))
    const known: readonly (ServedPrint & { readonly identity?: Hash })[] = [
      ...told.flatMap((each) => (heading === null ? each.near(print) : each.all())),
      ...this.#drafts.filter((each) => each.actor === actor),
    ]
    const kept = heading === null ? print : underHeading(print, heading)
    this.#drafts.push({ ref: main.ref, actor, print: kept, identity: main.keys.identity })
    const others = heading === null ? known : known.flatMap((each) => under(heading, each))
    return likest(print, others, LIKES_MAX).map(({ source: { ref, identity }, score }) => ({
      ref,
      score,
      ...(identity === undefined ? {} : { identity }),
    }))
  }

  /**
   * Keeps the prints of written drafts, so that the actor's later drafts are compared with them.
   */
  async settled(batch: Batch | null): Promise<void> {
    const written = new Set(batch?.entries.flatMap(({ entry }) => entry.ref ?? []))
    const drafts = this.#drafts.filter(({ ref }) => written.has(ref))
    this.#drafts = []
    this.#writtenBy.clear()
    if (drafts.length > 0) await this.#serving.noteWritten(drafts)
  }
}

interface Compared {
  readonly print: Print
  /** The print of the subject and predicate that the claims have to which it may be linked. */
  readonly heading: Print | null
}

/** Claims are linked where subject and predicate are the same, so their values are compared. */
function comparedOf({ kind, body }: Candidate['main']): Compared {
  if (kind !== 'claim') return { print: printOf(contentText(kind, body)), heading: null }
  const claim = body as ClaimBody // a body of kind claim was parsed as one
  const line = `${claim.subject} ${claim.predicate}`
  return { print: printOf(claimValueText(claim), line), heading: printOf(line) }
}

/** A claim under the heading, without it; nothing for all that is said of something else. */
function under<Source extends ServedPrint>(heading: Print, source: Source): readonly Source[] {
  if (splitRef(source.ref).kind !== 'claim') return []
  const print = withoutHeading(source.print, heading)
  return print === null ? [] : [{ ...source, print }]
}
