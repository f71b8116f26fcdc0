import { type MemoryId, parseRef } from '../../domain/ids.ts'
import { BELIEF_TYPES } from '../../domain/kinds/belief.ts'
import { GOAL_STATUSES } from '../../domain/kinds/goal.ts'
import { NOTE_TYPES } from '../../domain/kinds/note.ts'
import { ChangingStack, refOf } from '../change/changing-stack.ts'
import { ungrounded } from '../change/grounding.ts'
import {
  type Contradicting,
  type ContradictionsOptions,
  contradictions,
} from '../claims/contradictions.ts'
import { type BeliefVersion, beliefHistory } from '../history/belief-history.ts'
import { type Diff, type Difference, diff } from '../history/diff.ts'
import {
  type RelationshipEvent,
  relationshipHistory,
  trustOf,
} from '../history/relationship-history.ts'
import { flagOf, given, limitOf, nameOf, oneOf, shareOf, textOf } from '../write/arguments.ts'
import type { AsOf } from './as-of.ts'
import { type CountedLess, countedLess } from './counted-less.ts'
import { type FindOptions, find, findAll, type ListOptions } from './list.ts'
import type { Memory } from './memory-view.ts'
import { type Overview, overview } from './overview.ts'
import { type ReadBy, servedByDiff } from './served.ts'
import { type Uncertain, type UncertainOptions, uncertain } from './uncertain.ts'
import { gated, tierMinOf, type UseOptions, type Withheld } from './use-gate.ts'
import { type WithheldOptions, withheld } from './withheld.ts'

type Strength = Pick<FindOptions, 'includeWeak' | 'includeForgotten' | 'includeSetAside'>
type Listed<K extends Memory['kind']> = Promise<readonly Memory<K>[]>

export type ReadOptions = ListOptions & Strength & Pick<FindOptions, 'context'>
export type TaggedOptions = ReadOptions & Pick<FindOptions, 'tags'>
export type RawOptions = ListOptions & Pick<FindOptions, 'tags' | 'status'>
export type NoteOptions = TaggedOptions & { readonly noteType?: string }
export type GoalOptions = ReadOptions & Pick<FindOptions, 'status'>
export type BeliefOptions = TaggedOptions &
  Pick<FindOptions, 'minConfidence'> & { readonly beliefType?: string }

export interface DrivesOptions extends UseOptions, ReadBy {
  readonly includeExpired?: boolean
}

export interface RelationshipsOptions extends UseOptions, ReadBy, Pick<FindOptions, 'limit'> {
  readonly entityId?: string
  readonly entityType?: string
  readonly minTrust?: number
}

/** Readers by kind, with every parameter of the protocol: typed and thin on top of `find`. */
export class ReadingStack extends ChangingStack {
  /** How the stack stands, at a glance: what there is, what was learnt lately, what waits. */
  async overview(): Promise<Overview> {
    return overview(this.uses)
  }

  /** Memories that count for a lower tier today than when they were recorded. */
  async countedLess(): Promise<CountedLess> {
    return countedLess(this.uses)
  }

  /** What lists for a use leave out: how many, and which; `whyNot` says it of one. */
  async withheld(options?: WithheldOptions | null): Promise<Withheld> {
    return withheld(this.uses, options)
  }

  async #found<K extends Memory['kind']>(kind: K, options?: FindOptions | null): Listed<K> {
    return this.listed('get', options, await find(this.uses, kind, options))
  }

  getRaw = async (options?: RawOptions | null): Listed<'raw'> =>
    // What came in is never hidden: whether it comes to mind is no question here.
    this.#found('raw', { ...given(options), includeForgotten: true })

  getEpisodes = async (options?: TaggedOptions | null): Listed<'episode'> =>
    this.#found('episode', options)

  getNotes = async (options?: NoteOptions | null): Listed<'note'> => {
    const { noteType, ...asked } = given(options)
    const subtype = oneOfThem('noteType', noteType, NOTE_TYPES)
    return this.#found('note', { ...asked, ...(subtype && { subtype }) })
  }

  getClaims = async (options?: ReadOptions | null): Listed<'claim'> => this.#found('claim', options)

  getBeliefs = async (options?: BeliefOptions | null): Listed<'belief'> => {
    const { beliefType, ...asked } = given(options)
    const subtype = oneOfThem('beliefType', beliefType, BELIEF_TYPES)
    return this.#found('belief', { ...asked, ...(subtype && { subtype }) })
  }

  getValues = async (options?: ReadOptions | null): Listed<'value'> => this.#found('value', options)

  getGoals = async (options?: GoalOptions | null): Listed<'goal'> => {
    const asked = given(options)
    oneOfThem('status', asked.status, GOAL_STATUSES)
    return this.#found('goal', asked)
  }

  getPlaybooks = async (options?: ReadOptions | null): Listed<'playbook'> =>
    this.#found('playbook', options)
  getSummaries = async (options?: ReadOptions | null): Listed<'summary'> =>
    this.#found('summary', options)
  getSelfNarratives = async (options?: ReadOptions | null): Listed<'self_narrative'> =>
    this.#found('self_narrative', options)
  getEpochs = async (options?: ListOptions | null): Listed<'epoch'> => this.#found('epoch', options)

  /** The drive of a type; the newest where there are several. */
  async getDrive(
    driveType: string,
    options?: (UseOptions & ReadBy) | null,
  ): Promise<Memory<'drive'> | null> {
    return this.#named('drive', nameOf('driveType', driveType), options)
  }

  /** Expired drives, at strength 0.2 or below, only when asked for. */
  async getDrives(options?: DrivesOptions | null): Listed<'drive'> {
    const { includeExpired, ...tiers } = given(options)
    const isEveryWanted = flagOf('includeExpired', includeExpired, false)
    const { policy } = await this.uses.moment()
    const all = await findAll(this.uses, 'drive', {
      includeForgotten: true,
      ...tiers,
    })
    const floor = policy.numbers.strengthDormantBelow
    const wanted = all.filter(({ strength }) => isEveryWanted || strength > floor)
    return this.listed('get', options, wanted)
  }

  /** The relationship with a being; the newest where there are several. */
  async getRelationship(
    entityName: string,
    options?: (UseOptions & ReadBy) | null,
  ): Promise<Memory<'relationship'> | null> {
    return this.#named('relationship', nameOf('entityName', entityName), options)
  }

  /** `minTrust` is the relationship's own trust, from nought to one; `minTier` is the papers'. */
  async getRelationships(options?: RelationshipsOptions | null): Listed<'relationship'> {
    const { entityId, entityType, minTrust, limit, ...tiers } = given(options)
    if (entityId !== undefined) textOf('entityId', entityId)
    const trustMin = minTrust === undefined ? 0 : shareOf('minTrust', minTrust)
    const most = limitOf(limit, Infinity)
    const all = await findAll(this.uses, 'relationship', {
      includeForgotten: true,
      ...(entityType === undefined ? {} : { subtype: textOf('entityType', entityType) }),
      ...tiers,
    })
    const isMeant = ({ body }: Memory<'relationship'>): boolean =>
      (entityId === undefined || body.entityId === entityId) && trustOf(body) >= trustMin
    return this.listed('get', options, all.filter(isMeant).slice(0, most))
  }

  /** Found whether or not it comes to mind; what was set aside is not found. */
  async #named<K extends 'drive' | 'relationship'>(
    kind: K,
    name: string,
    options: (UseOptions & ReadBy) | null | undefined,
  ): Promise<Memory<K> | null> {
    const [found] = await find(this.uses, kind, { name, limit: 1, includeForgotten: true })
    const { policy } = await this.uses.moment()
    if (!found) return null
    const shown = gated(found, policy, given(options))
    await this.listed('get', options, [shown])
    return shown
  }

  /** Every change of trust, type, notes and interactions, oldest first. */
  async getRelationshipHistory(
    id: MemoryId | string,
    reader?: ReadBy | null,
  ): Promise<readonly RelationshipEvent[]> {
    const { caller } = given(reader)
    const { policy } = await this.uses.moment()
    const needed = caller === undefined ? 0 : tierMinOf(policy, { caller }, 0)
    const of = refOf('relationship', id)
    const { events, words } = await relationshipHistory(this.uses, of, needed)
    await this.noteServed('history', reader, words)
    return events
  }

  /** Beliefs whose every source is forgotten or gone. */
  async getUngrounded(reader?: ReadBy | null): Listed<'belief'> {
    const beliefs = await this.#gated(await ungrounded(this.uses), reader)
    await this.noteServed('ungrounded', reader, beliefs)
    return beliefs
  }

  /** Low-confidence memories, those first on which most rests. */
  async uncertain(options?: UncertainOptions & ReadBy): Promise<readonly Uncertain[]> {
    const found = await this.#gatedIn(await uncertain(this.uses, options), options)
    await this.noteServed('uncertain', options, memoriesIn(found))
    return found
  }

  /** What cannot be true beside a statement: shown, never settled by itself. */
  async contradictions(
    statement: string,
    options?: ContradictionsOptions & ReadBy,
  ): Promise<readonly Contradicting[]> {
    const found = await this.#gatedIn(await contradictions(this.uses, statement, options), options)
    await this.noteServed('contradictions', options, memoriesIn(found))
    return found
  }

  /** Every belief that stood in this one's place, oldest first. */
  async beliefHistory(ref: string, reader?: ReadBy | null): Promise<readonly BeliefVersion[]> {
    const versions = await this.#gatedIn(await beliefHistory(this.uses, parseRef(ref)), reader)
    await this.noteServed('history', reader, memoriesIn(versions))
    return versions
  }

  /** Memories of a connection whose host fixed a use: words below that use are withheld. */
  async #gated<M extends Memory>(
    memories: readonly M[],
    reader: ReadBy | null | undefined,
  ): Promise<readonly M[]> {
    const { caller } = given(reader)
    if (caller?.use === undefined) return memories
    const { policy } = await this.uses.moment()
    return memories.map((memory) => gated(memory, policy, { caller }) as M) // of the kind it was
  }

  async #gatedDiff(found: Diff, reader: ReadBy | null | undefined): Promise<Diff> {
    const { caller } = given(reader)
    if (caller?.use === undefined) return found
    const { policy } = await this.uses.moment()
    const shown = (memory: Memory | null): Memory | null =>
      memory && gated(memory, policy, { caller })
    const gatedEach = (all: readonly Difference[]): readonly Difference[] =>
      all.map((each) => ({ ...each, before: shown(each.before), after: shown(each.after) }))
    return {
      ...found,
      added: gatedEach(found.added),
      lost: gatedEach(found.lost),
      changed: gatedEach(found.changed),
    }
  }

  async #gatedIn<T extends { readonly memory: Memory }>(
    found: readonly T[],
    reader: ReadBy | null | undefined,
  ): Promise<readonly T[]> {
    const memories = await this.#gated(
      found.map(({ memory }) => memory),
      reader,
    )
    return found.map((each, at) => ({ ...each, memory: memories[at] ?? each.memory }))
  }

  /** What was learnt, lost and changed between two moments. */
  async diff(from: AsOf, to: AsOf, reader?: ReadBy | null): Promise<Diff> {
    const found = await this.#gatedDiff(await diff(this.uses, from, to), reader)
    await this.noteServed('diff', reader, servedByDiff(found))
    return found
  }
}

const memoriesIn = (found: readonly { readonly memory: Memory }[]): readonly Memory[] =>
  found.map(({ memory }) => memory)

/** A filter nothing could match is a mistake, and is said to be one. */
const oneOfThem = (
  field: string,
  value: string | undefined,
  known: readonly string[],
): string | undefined => (value === undefined ? undefined : oneOf(field, value, known))
