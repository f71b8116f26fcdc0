import type { MemoryId } from './domain/ids.ts'
import { parseRef } from './domain/ids.ts'
import type { AssessmentInput } from './domain/kinds/assessment.ts'
import { isInstant } from './domain/time.ts'
import { applyForgetting, type Forgetting, type ForgettingOptions } from './engine/change/forget.ts'
import {
  type AssessmentsOptions,
  computeTrust,
  getTrustAssessments,
  saveTrustAssessment,
  type Trust,
  type TrustAssessment,
} from './engine/distrust/trust-assessment.ts'
import { TellingStack } from './engine/epochs/epochs-stack.ts'
import type { CallOptions } from './engine/parts.ts'
import type { StackProtocol } from './engine/protocol.ts'
import { type ReadBy, servedByReview } from './engine/read/served.ts'
import { acceptSuggestion } from './engine/review/accept-suggestion.ts'
import { gatedReview } from './engine/review/gated-review.ts'
import { type Promoted, type PromoteOptions, promote } from './engine/review/promote.ts'
import {
  getReview,
  type ResolveOptions,
  type ReviewAnswer,
  type ReviewItem,
  type ReviewOptions,
  type Settled,
  settleReview,
} from './engine/review/review.ts'
import {
  dismissSuggestion,
  getSuggestion,
  getSuggestions,
  type Suggestion,
  type SuggestionsOptions,
} from './engine/review/suggestions.ts'
import {
  type Dumped,
  type DumpOptions,
  dump,
  type Exported,
  type ExportOptions,
} from './engine/transfer/dump.ts'
import { NO_REMOTE, type PullOptions, type SyncResult } from './engine/transfer/sync.ts'
import { flagOf, given, nameOf, wrong } from './engine/write/arguments.ts'
import type { Answered, Asked } from './engine/write/idempotency.ts'
import type { ActOptions } from './engine/write/speaker.ts'
import type { SaveRecord } from './engine/write/write-request.ts'
import { RECEIPT_LIMITS } from './ports/receipts.ts'

type Saved = Promise<MemoryId>
type SavedAll = Promise<readonly MemoryId[]>

/**
 * A self-contained memory with its own ledger, policy and lifecycle. It knows nothing of models;
 * the core's routed writes are the usual way in, the `save*` are the low-level ones.
 */
export class Stack extends TellingStack implements StackProtocol {
  saveRaw = (record: SaveRecord<'raw'>, options?: CallOptions | null): Saved =>
    this.save('raw', record, options)
  saveEpisode = (record: SaveRecord<'episode'>, options?: CallOptions | null): Saved =>
    this.save('episode', record, options)
  saveNote = (record: SaveRecord<'note'>, options?: CallOptions | null): Saved =>
    this.save('note', record, options)
  saveClaim = (record: SaveRecord<'claim'>, options?: CallOptions | null): Saved =>
    this.save('claim', record, options)
  saveBelief = (record: SaveRecord<'belief'>, options?: CallOptions | null): Saved =>
    this.save('belief', record, options)
  saveGoal = (record: SaveRecord<'goal'>, options?: CallOptions | null): Saved =>
    this.save('goal', record, options)
  saveRelationship = (record: SaveRecord<'relationship'>, options?: CallOptions | null): Saved =>
    this.save('relationship', record, options)
  saveValue = (record: SaveRecord<'value'>, options?: CallOptions | null): Saved =>
    this.save('value', record, options)
  saveDrive = (record: SaveRecord<'drive'>, options?: CallOptions | null): Saved =>
    this.save('drive', record, options)
  savePlaybook = (record: SaveRecord<'playbook'>, options?: CallOptions | null): Saved =>
    this.save('playbook', record, options)
  saveSummary = (record: SaveRecord<'summary'>, options?: CallOptions | null): Saved =>
    this.save('summary', record, options)
  saveSelfNarrative = (record: SaveRecord<'self_narrative'>, options?: CallOptions | null): Saved =>
    this.save('self_narrative', record, options)
  saveEpoch = (record: SaveRecord<'epoch'>, options?: CallOptions | null): Saved =>
    this.save('epoch', record, options)
  saveSuggestion = (record: SaveRecord<'suggestion'>, options?: CallOptions | null): Saved =>
    this.save('suggestion', record, options)

  saveEpisodesBatch = (
    records: readonly SaveRecord<'episode'>[],
    options?: CallOptions | null,
  ): SavedAll => this.saveAll('episode', records, options)
  saveBeliefsBatch = (
    records: readonly SaveRecord<'belief'>[],
    options?: CallOptions | null,
  ): SavedAll => this.saveAll('belief', records, options)
  saveNotesBatch = (
    records: readonly SaveRecord<'note'>[],
    options?: CallOptions | null,
  ): SavedAll => this.saveAll('note', records, options)

  /**
   * Does work once under a key, and answers again with what came of it: for a day, in any process.
   * A memory that it makes has the id that the work is given, so that a repeat makes no second one.
   */
  async once(asked: Asked, work: (id: MemoryId) => Promise<string>): Promise<Answered> {
    return this.serving.once.run(asked, work)
  }

  async getSuggestion(id: string): Promise<Suggestion | null> {
    return getSuggestion(this.uses, id)
  }

  async getSuggestions(options?: SuggestionsOptions | null): Promise<readonly Suggestion[]> {
    return getSuggestions(this.uses, options)
  }

  /** Makes the proposed memory, with everything it must rest on; null where it cannot be. */
  async acceptSuggestion(
    id: string,
    modifications: Readonly<Record<string, unknown>> | null = null,
    options?: ActOptions | null,
  ): Promise<MemoryId | null> {
    return acceptSuggestion(this.uses, id, modifications, options)
  }

  async dismissSuggestion(
    id: string,
    reason: string | null = null,
    options?: ActOptions | null,
  ): Promise<boolean> {
    return dismissSuggestion(this.uses, id, reason, options)
  }

  /** The one queue of everything that waits for a person, newest first. */
  async getReview(options?: (ReviewOptions & ReadBy) | null): Promise<readonly ReviewItem[]> {
    const items = await gatedReview(this.uses, await getReview(this.uses, options), given(options))
    await this.noteServed('review', options, items.flatMap(servedByReview))
    return items
  }

  /** A person's answer to one item; says whether it was taken. */
  async resolveReview(
    ref: string,
    answer: ReviewAnswer,
    how?: ResolveOptions | null,
  ): Promise<boolean> {
    return (await this.settleReview(ref, answer, how)).taken
  }

  /** The same, and says also what became of it. */
  async settleReview(
    ref: string,
    answer: ReviewAnswer,
    how?: ResolveOptions | null,
  ): Promise<Settled> {
    const options = given(how)
    const { caller } = options
    const reject = (of: string) =>
      caller === undefined ? this.rejectQuarantined(of) : this.rejectQuarantined(of, caller)
    const release = (of: string) =>
      caller === undefined ? this.releaseQuarantined(of) : this.releaseQuarantined(of, caller)
    return settleReview(this.uses, parseRef(ref), { answer, options, reject, release })
  }

  /** Who is trusted how far; the gate bounds the tier of what they say by it. */
  async saveTrustAssessment(assessment: AssessmentInput, options?: ActOptions | null): Saved {
    return saveTrustAssessment(this.uses, assessment, options)
  }

  async getTrustAssessments(
    options?: AssessmentsOptions | null,
  ): Promise<readonly TrustAssessment[]> {
    return getTrustAssessments(this.uses, options)
  }

  async computeTrust(entityId: string, domain?: string | null): Promise<Trust> {
    return computeTrust(this.uses, entityId, domain)
  }

  /** Lessons that recur across episodes become beliefs that cite those episodes. */
  async promote(options?: PromoteOptions | null): Promise<Promoted> {
    const { promoted, told } = await promote(this.uses, options)
    await this.noteServed('promote', options, told)
    return promoted
  }

  /** Lets go what is dormant and would hardly be missed. */
  async applyForgetting(options?: ForgettingOptions | null): Promise<Forgetting> {
    return applyForgetting(this.uses, options)
  }

  /** Every memory as one text, for people or for programs. */
  async dump(options?: (DumpOptions & ReadBy) | null): Promise<string> {
    return (await this.#dumped(options)).text
  }

  async #dumped(options?: (DumpOptions & ReadBy) | null): Promise<Dumped> {
    const dumped = await dump(this.uses, options)
    const { memories } = dumped
    // As many as anybody is held to have in mind, the newest.
    const newest = memories.toSorted((a, b) => b.entry.seq - a.entry.seq)
    await this.noteServed('dump', options, newest.slice(0, RECEIPT_LIMITS.toldMax))
    return dumped
  }

  /**
   * A file. JSON holds the memories to read and the ledger behind them, so that `importRecords` brings the
   * stack back; `bundle` is the ledger alone, for `restoreStack`; markdown is for reading.
   */
  async export(path: string, options?: (ExportOptions & ReadBy) | null): Promise<Exported> {
    const { format = 'markdown', includeLedger, ...asked } = given(options)
    const file = nameOf('path', path)
    if (format === 'bundle') {
      await this.uses.writeFile(file, this.exportBundle())
      return { isSealed: false }
    }
    const { text, memories } = await this.#dumped({ ...asked, format })
    const isWhole = flagOf('includeLedger', includeLedger, true) && asked.includeRaw !== false
    const { tip } = await this.uses.read({ type: 'standing' })
    if (format !== 'json' || !isWhole || tip.head.seq < 0) {
      await this.uses.writeFile(file, oneChunk(text))
      return { isSealed: false }
    }
    const { chunks, isSealed } = await this.exportWhole(memories)
    await this.uses.writeFile(file, chunks)
    return { isSealed }
  }

  /** A stack without a remote has nothing to send and nobody to ask, and says so. */
  async sync(): Promise<SyncResult> {
    return NO_REMOTE
  }

  async pullChanges(options?: PullOptions | null): Promise<SyncResult> {
    const { since } = given(options)
    if (since !== undefined && !isInstant(since)) throw wrong('since', 'UTC with milliseconds')
    return NO_REMOTE
  }

  async getPendingSyncCount(): Promise<number> {
    return 0
  }

  async isOnline(): Promise<boolean> {
    return false
  }
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}
