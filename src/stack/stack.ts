import type { MemoryId } from '../domain/ids.ts'
import type { CallOptions, ListOptions } from './core.ts'
import type { Memory } from './memory-view.ts'
import type { SaveRecord } from './requests.ts'
import { TransferableStack } from './transfer.ts'

type Saved = Promise<MemoryId>
type SavedAll = Promise<readonly MemoryId[]>

/**
 * A self-contained memory with its own ledger, policy and lifecycle. It knows nothing of models;
 * the core's routed writes are the usual way in, these are the low-level ones.
 */
export class Stack extends TransferableStack {
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

  getRaw = (options?: ListOptions): Listed<'raw'> => this.list('raw', options)
  getEpisodes = (options?: ListOptions): Listed<'episode'> => this.list('episode', options)
  getNotes = (options?: ListOptions): Listed<'note'> => this.list('note', options)
  getClaims = (options?: ListOptions): Listed<'claim'> => this.list('claim', options)
  getBeliefs = (options?: ListOptions): Listed<'belief'> => this.list('belief', options)
  getGoals = (options?: ListOptions): Listed<'goal'> => this.list('goal', options)
  getRelationships = (options?: ListOptions): Listed<'relationship'> =>
    this.list('relationship', options)
  getValues = (options?: ListOptions): Listed<'value'> => this.list('value', options)
  getDrives = (options?: ListOptions): Listed<'drive'> => this.list('drive', options)
  getPlaybooks = (options?: ListOptions): Listed<'playbook'> => this.list('playbook', options)
  getSummaries = (options?: ListOptions): Listed<'summary'> => this.list('summary', options)
  getSelfNarratives = (options?: ListOptions): Listed<'self_narrative'> =>
    this.list('self_narrative', options)
  getEpochs = (options?: ListOptions): Listed<'epoch'> => this.list('epoch', options)
  getSuggestions = (options?: ListOptions): Listed<'suggestion'> => this.list('suggestion', options)
}

type Listed<K extends Memory['kind']> = Promise<readonly Memory<K>[]>
