import type { MemoryId } from '../domain/ids.ts'
import { parseRef } from '../domain/ids.ts'
import type { AssessmentInput } from '../domain/kinds/assessment.ts'
import { acceptSuggestion } from './accepting.ts'
import { hostFor } from './component-host.ts'
import type { CallOptions, StackParts } from './core.ts'
import { type DumpOptions, dump } from './dumping.ts'
import {
  applyForgetting,
  type Forgetting,
  type ForgettingOptions,
  noteDormant,
} from './forgetting.ts'
import { type Promoted, type PromoteOptions, promote } from './promoting.ts'
import { ReadingStack } from './reading.ts'
import type { SaveRecord } from './requests.ts'
import {
  getReview,
  type ResolveOptions,
  type ReviewAnswer,
  type ReviewItem,
  type ReviewOptions,
  resolveReview,
} from './reviewing.ts'
import type { ActOptions } from './speaker.ts'
import {
  dismissSuggestion,
  expireSuggestions,
  getSuggestion,
  getSuggestions,
  type Suggestion,
  type SuggestionsOptions,
} from './suggesting.ts'
import { NO_REMOTE, type SyncResult } from './sync.ts'
import {
  type AssessmentsOptions,
  computeTrust,
  getTrustAssessments,
  saveTrustAssessment,
  type Trust,
  type TrustAssessment,
} from './trusting.ts'

type Saved = Promise<MemoryId>
type SavedAll = Promise<readonly MemoryId[]>

/**
 * A self-contained memory with its own ledger, policy and lifecycle. It knows nothing of models;
 * the core's routed writes are the usual way in, the `save*` are the low-level ones.
 */
export class Stack extends ReadingStack {
  constructor(parts: StackParts) {
    super(parts)
    this.registry.connect((name) => hostFor(this.uses, name))
  }

  saveRaw = (record: SaveRecord<'raw'>, options?: CallOptions): Saved =>
    this.save('raw', record, options)
  saveEpisode = (record: SaveRecord<'episode'>, options?: CallOptions): Saved =>
    this.save('episode', record, options)
  saveNote = (record: SaveRecord<'note'>, options?: CallOptions): Saved =>
    this.save('note', record, options)
  saveClaim = (record: SaveRecord<'claim'>, options?: CallOptions): Saved =>
    this.save('claim', record, options)
  saveBelief = (record: SaveRecord<'belief'>, options?: CallOptions): Saved =>
    this.save('belief', record, options)
  saveGoal = (record: SaveRecord<'goal'>, options?: CallOptions): Saved =>
    this.save('goal', record, options)
  saveRelationship = (record: SaveRecord<'relationship'>, options?: CallOptions): Saved =>
    this.save('relationship', record, options)
  saveValue = (record: SaveRecord<'value'>, options?: CallOptions): Saved =>
    this.save('value', record, options)
  saveDrive = (record: SaveRecord<'drive'>, options?: CallOptions): Saved =>
    this.save('drive', record, options)
  savePlaybook = (record: SaveRecord<'playbook'>, options?: CallOptions): Saved =>
    this.save('playbook', record, options)
  saveSummary = (record: SaveRecord<'summary'>, options?: CallOptions): Saved =>
    this.save('summary', record, options)
  saveSelfNarrative = (record: SaveRecord<'self_narrative'>, options?: CallOptions): Saved =>
    this.save('self_narrative', record, options)
  saveEpoch = (record: SaveRecord<'epoch'>, options?: CallOptions): Saved =>
    this.save('epoch', record, options)
  saveSuggestion = (record: SaveRecord<'suggestion'>, options?: CallOptions): Saved =>
    this.save('suggestion', record, options)

  saveEpisodesBatch = (
    records: readonly SaveRecord<'episode'>[],
    options?: CallOptions,
  ): SavedAll => this.saveAll('episode', records, options)
  saveBeliefsBatch = (records: readonly SaveRecord<'belief'>[], options?: CallOptions): SavedAll =>
    this.saveAll('belief', records, options)
  saveNotesBatch = (records: readonly SaveRecord<'note'>[], options?: CallOptions): SavedAll =>
    this.saveAll('note', records, options)

  async getSuggestion(id: string): Promise<Suggestion | null> {
    return getSuggestion(this.uses, id)
  }

  async getSuggestions(options?: SuggestionsOptions): Promise<readonly Suggestion[]> {
    return getSuggestions(this.uses, options)
  }

  /** Makes the proposed memory, with everything it must rest on; null where it cannot be. */
  async acceptSuggestion(
    id: string,
    modifications: Readonly<Record<string, unknown>> | null = null,
    options?: ActOptions,
  ): Promise<MemoryId | null> {
    return acceptSuggestion(this.uses, id, modifications, options)
  }

  async dismissSuggestion(
    id: string,
    reason: string | null = null,
    options?: ActOptions,
  ): Promise<boolean> {
    return dismissSuggestion(this.uses, id, reason, options)
  }

  /** The one queue of everything that waits for a person, newest first. */
  async getReview(options?: ReviewOptions): Promise<readonly ReviewItem[]> {
    return getReview(this.uses, options)
  }

  async resolveReview(
    ref: string,
    answer: ReviewAnswer,
    options: ResolveOptions = {},
  ): Promise<boolean> {
    const { caller } = options
    const reject = (of: string) =>
      caller ? this.rejectQuarantined(of, caller) : this.rejectQuarantined(of)
    return resolveReview(this.uses, parseRef(ref), { answer, options, reject })
  }

  /** Who is trusted how far; the gate bounds the tier of what they say by it. */
  async saveTrustAssessment(assessment: AssessmentInput, options?: ActOptions): Saved {
    return saveTrustAssessment(this.uses, assessment, options)
  }

  async getTrustAssessments(options?: AssessmentsOptions): Promise<readonly TrustAssessment[]> {
    return getTrustAssessments(this.uses, options)
  }

  async computeTrust(entityId: string, domain?: string): Promise<Trust> {
    return computeTrust(this.uses, entityId, domain)
  }

  /** Lessons that recur across episodes become beliefs that cite those episodes. */
  async promote(options?: PromoteOptions): Promise<Promoted> {
    return promote(this.uses, options)
  }

  /** Lets go what is dormant and would hardly be missed. */
  async applyForgetting(options?: ForgettingOptions): Promise<Forgetting> {
    return applyForgetting(this.uses, options)
  }

  /** Runs what is due in the stack and in every component; statistics by component. */
  async maintenance(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
    await this.uses.tidy()
    const stack = {
      dormant: await noteDormant(this.uses),
      suggestionsExpired: await expireSuggestions(this.uses),
    }
    return { ...(await this.registry.dispatchMaintenance()), stack }
  }

  /** Every memory as one text, for people or for programs. */
  async dump(options?: DumpOptions): Promise<string> {
    return dump(this.uses, options)
  }

  /** The same as a file; `bundle` is the whole stack with its ledger, to be restored elsewhere. */
  async export(
    path: string,
    { format = 'markdown', ...options }: Omit<DumpOptions, 'format'> & ExportFormat = {},
  ): Promise<void> {
    if (format === 'bundle') return this.uses.writeFile(path, this.exportBundle())
    const text = await this.dump({ format, ...options })
    await this.uses.writeFile(
      path,
      (async function* () {
        yield text
      })(),
    )
  }

  /** A stack without a remote has nothing to send and nobody to ask, and says so. */
  async sync(): Promise<SyncResult> {
    return NO_REMOTE
  }

  async pullChanges(_options: { readonly since?: string } = {}): Promise<SyncResult> {
    return NO_REMOTE
  }

  async getPendingSyncCount(): Promise<number> {
    return 0
  }

  async isOnline(): Promise<boolean> {
    return false
  }
}

interface ExportFormat {
  readonly format?: 'markdown' | 'json' | 'bundle'
}
