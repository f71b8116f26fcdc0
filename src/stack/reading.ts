import { type MemoryId, parseRef } from '../domain/ids.ts'
import type { SearchResult } from '../ports/component.ts'
import type { AsOf } from './as-of.ts'
import { type BeliefVersion, beliefHistory } from './belief-history.ts'
import { ChangingStack, refOf } from './changing.ts'
import { type Contradicting, type ContradictionsOptions, contradictions } from './contradictions.ts'
import { type Diff, diff } from './diff.ts'
import { type FindOptions, find, findAll, type ListOptions, limitOf } from './finding.ts'
import { ungrounded } from './grounding.ts'
import { type Loaded, type LoadOptions, load } from './loading.ts'
import type { Memory } from './memory-view.ts'
import { type RelationshipEvent, relationshipHistory, trustOf } from './relationship-history.ts'
import { type SearchOptions, search } from './searching.ts'
import { type ReadBy, servedByLoad, servedBySearch, whatIsAsked } from './serving.ts'
import { type Uncertain, type UncertainOptions, uncertain } from './uncertain.ts'

type Strength = Pick<FindOptions, 'includeWeak' | 'includeForgotten' | 'includeSetAside'>
type Listed<K extends Memory['kind']> = Promise<readonly Memory<K>[]>

export type ReadOptions = ListOptions & Strength & Pick<FindOptions, 'context'>

/** Readers by kind, with every parameter of the protocol: typed and thin on top of `find`. */
export class ReadingStack extends ChangingStack {
  getRaw = (options: ListOptions & Pick<FindOptions, 'tags' | 'status'> = {}): Listed<'raw'> =>
    // What came in is never hidden: whether it comes to mind is no question here.
    find(this.uses, 'raw', { ...options, includeForgotten: true })

  getEpisodes = (options: ReadOptions & Pick<FindOptions, 'tags'> = {}): Listed<'episode'> =>
    find(this.uses, 'episode', options)

  getNotes = ({
    noteType,
    ...options
  }: ReadOptions &
    Pick<FindOptions, 'tags'> & { readonly noteType?: string } = {}): Listed<'note'> =>
    find(this.uses, 'note', {
      ...options,
      ...(noteType === undefined ? {} : { subtype: noteType }),
    })

  getClaims = (options: ReadOptions = {}): Listed<'claim'> => find(this.uses, 'claim', options)

  getBeliefs = ({
    beliefType,
    ...options
  }: ReadOptions &
    Pick<FindOptions, 'minConfidence' | 'tags'> & {
      readonly beliefType?: string
    } = {}): Listed<'belief'> =>
    find(this.uses, 'belief', {
      ...options,
      ...(beliefType === undefined ? {} : { subtype: beliefType }),
    })

  getValues = (options: ReadOptions = {}): Listed<'value'> => find(this.uses, 'value', options)

  getGoals = (options: ReadOptions & Pick<FindOptions, 'status'> = {}): Listed<'goal'> =>
    find(this.uses, 'goal', options)

  getPlaybooks = (options: ReadOptions = {}): Listed<'playbook'> =>
    find(this.uses, 'playbook', options)
  getSummaries = (options: ReadOptions = {}): Listed<'summary'> =>
    find(this.uses, 'summary', options)
  getSelfNarratives = (options: ReadOptions = {}): Listed<'self_narrative'> =>
    find(this.uses, 'self_narrative', options)
  getEpochs = (options: ListOptions = {}): Listed<'epoch'> => find(this.uses, 'epoch', options)

  /** The drive of a type; the newest where there are several. */
  async getDrive(driveType: string): Promise<Memory<'drive'> | null> {
    const [found] = await find(this.uses, 'drive', {
      name: driveType,
      limit: 1,
      includeForgotten: true,
    })
    return found ?? null
  }

  /** Expired drives, at strength 0.2 or below, only when asked for. */
  async getDrives({
    includeExpired = false,
    minTier,
  }: {
    includeExpired?: boolean
    minTier?: number
  } = {}): Listed<'drive'> {
    const { policy } = await this.uses.moment()
    const all = await findAll(this.uses, 'drive', {
      includeForgotten: true,
      ...(minTier === undefined ? {} : { minTier }),
    })
    const floor = policy.numbers.strengthDormantBelow
    return all.filter(({ strength }) => includeExpired || strength > floor)
  }

  async getRelationship(entityName: string): Promise<Memory<'relationship'> | null> {
    const [found] = await find(this.uses, 'relationship', {
      name: entityName,
      limit: 1,
      includeForgotten: true,
    })
    return found ?? null
  }

  /** `minTrust` is the relationship's own trust, from nought to one; `minTier` is the papers'. */
  async getRelationships(
    options: {
      readonly entityId?: string
      readonly entityType?: string
      readonly minTrust?: number
      readonly minTier?: number
      readonly limit?: number
    } = {},
  ): Listed<'relationship'> {
    const { entityId, entityType, minTrust = 0, minTier, limit } = options
    const all = await findAll(this.uses, 'relationship', {
      includeForgotten: true,
      ...(entityType === undefined ? {} : { subtype: entityType }),
      ...(minTier === undefined ? {} : { minTier }),
    })
    const found = all.filter(
      ({ body }) =>
        (entityId === undefined || body.entityId === entityId) && trustOf(body) >= minTrust,
    )
    return limit === undefined ? found : found.slice(0, limitOf(limit))
  }

  /** Every change of trust, type, notes and interactions, oldest first. */
  async getRelationshipHistory(id: MemoryId | string): Promise<readonly RelationshipEvent[]> {
    return relationshipHistory(this.uses, refOf('relationship', id))
  }

  /** Full text across all kinds; components have the last word on order and choice. */
  async search(
    query: string,
    options: SearchOptions & ReadBy = {},
  ): Promise<readonly SearchResult[]> {
    const results = await search(this.uses, this.registry, query, whatIsAsked(options))
    await this.serving.serve('search', options, servedBySearch(results))
    return results
  }

  /** Working memory within a budget of tokens, every kind heard. */
  async load(options: LoadOptions & ReadBy = {}): Promise<Loaded> {
    const loaded = await load(this.uses, options)
    await this.serving.serve('load', options, servedByLoad(loaded))
    if (!this.registry.listens('onLoad')) return loaded
    return (await this.registry.dispatchLoad({ ...loaded })) as unknown as Loaded // only added to
  }

  /** Beliefs whose every source is forgotten or gone. */
  async getUngrounded(): Listed<'belief'> {
    return ungrounded(this.uses)
  }

  /** Low-confidence memories, those first on which most rests. */
  async uncertain(options?: UncertainOptions): Promise<readonly Uncertain[]> {
    return uncertain(this.uses, options)
  }

  /** What cannot be true beside a statement: shown, never settled by itself. */
  async contradictions(
    statement: string,
    options?: ContradictionsOptions,
  ): Promise<readonly Contradicting[]> {
    return contradictions(this.uses, statement, options)
  }

  /** Every belief that stood in this one's place, oldest first. */
  async beliefHistory(ref: string): Promise<readonly BeliefVersion[]> {
    return beliefHistory(this.uses, parseRef(ref))
  }

  /** What was learnt, lost and changed between two moments. */
  async diff(from: AsOf, to: AsOf): Promise<Diff> {
    return diff(this.uses, from, to)
  }
}
