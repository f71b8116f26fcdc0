import { MunimentError } from '../../domain/errors.ts'
import type { RecordKind } from '../../domain/ids.ts'
import type { EpochBody } from '../../domain/kinds/epoch.ts'
import type { SelfNarrativeInput } from '../../domain/kinds/self-narrative.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { find, findAll } from '../read/list.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { gated } from '../read/use-gate.ts'
import {
  type ActOptions,
  type AuthorOptions,
  given,
  nameOf,
  speakerOf,
} from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import { type UsePlaybookOptions, usePlaybook } from './playbooks.ts'
import {
  type NarrateOptions,
  narrate,
  type Summarised,
  type SummariseOptions,
  summarise,
  toldOf,
} from './summaries.ts'

/** A period for a summary, both ends included. */
export interface Stretch {
  readonly from: Instant
  readonly to: Instant
  /** Only memories of this epoch. */
  readonly epochId?: string
}

/** Memories of a kind from a period, newest first, and a flag for more than a summary may cite. */
export async function membersIn<K extends RecordKind>(
  engine: Engine,
  kind: K,
  { from, to, epochId }: Stretch,
): Promise<{ readonly members: readonly Memory<K>[]; readonly isCut: boolean }> {
  const members: Memory<K>[] = []
  for (let after: string | undefined; ; ) {
    const page = await find(engine, kind, {
      limit: PAGE,
      includeWeak: true,
      ...(after === undefined ? {} : { after }),
    })
    const inside = page.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    members.push(...inside.filter(({ body }) => epochId === undefined || epochOf(body) === epochId))
    const last = page.at(-1)
    if (members.length > LIMITS.parentsMax) {
      return { members: members.slice(0, LIMITS.parentsMax), isCut: true }
    }
    if (last === undefined || page.length < PAGE || last.createdAt < from) {
      return { members, isCut: false }
    }
    after = last.id
  }
}

const PAGE = 200

const epochOf = (body: object): unknown => (body as { readonly epochId?: string }).epochId

interface BeginEpochOptions extends ActOptions {
  readonly triggerType?: EpochBody['triggerType']
  readonly triggerDescription?: string
}

interface EndEpochOptions extends AuthorOptions {
  /** Text of the summary; made from the epoch's memories by default. */
  readonly summary?: string
}

/** An epoch that ended, with its summary. */
export interface EndedEpoch {
  readonly epoch: Memory<'epoch'>
  /** The summary of the epoch; null where the epoch had no memories. */
  readonly summary: Summarised | null
}

const KEPT_MAX = 10 // key beliefs, goals and relationships of an epoch
const DRIVES_MAX = 5

/** The open epoch, or null. Only the newest epoch can be open. */
async function openEpoch(engine: Pick<Engine, 'read' | 'moment'>): Promise<Memory<'epoch'> | null> {
  const [stored] = await engine.read({
    type: 'memories',
    where: { kind: 'epoch', present: true },
    limit: 1,
  })
  if (!stored || stored.state.strength.value === 0) return null
  const epoch = viewOf<'epoch'>(stored, await engine.moment())
  return epoch.body.endedAt === undefined ? epoch : null
}

/** Begins an epoch with the next number and ends the open epoch at the same time. */
async function beginEpoch(
  engine: Engine,
  name: string,
  asked?: BeginEpochOptions | null,
): Promise<Accepted> {
  const { triggerType, triggerDescription, ...options } = given(asked)
  nameOf('name', name)
  if (await openEpoch(engine)) await endEpoch(engine, options)
  const before = await findAll(engine, 'epoch', { includeForgotten: true, includeSetAside: true })
  const { caller, actor, label } = speakerOf(engine.stackId, 'begin_epoch', options)
  const isModel = label.type === 'ModelDerived'
  const result = await engine.write(
    {
      kind: 'epoch',
      body: {
        epochNumber: nextNumber(before),
        name,
        startedAt: engine.now(),
        ...(triggerType && { triggerType }),
        ...(triggerDescription !== undefined && { triggerDescription }),
      },
      provenance: {
        sourceType: isModel ? 'inference' : 'direct_experience',
        label,
        sourceId: actor,
        ingestionPath: `${caller.door}:${caller.operation}`,
        confidence: 1,
        llmModel: isModel ? `unknown:${actor}` : null,
      },
    } as never, // an epoch, whose body is parsed by the stack
    caller,
  )
  if (!isAccepted(result)) throw refusalError(result)
  return result
}

/** One more than the highest number so far. */
const nextNumber = (before: readonly Memory<'epoch'>[]): number =>
  before.reduce((highest, { body }) => Math.max(highest, body.epochNumber), 0) + 1

async function endEpoch(engine: Engine, asked?: EndEpochOptions | null): Promise<EndedEpoch> {
  const { summary: content, ...options } = given(asked)
  const epoch = await openEpoch(engine)
  if (!epoch) {
    throw new MunimentError('not_found', 'No epoch is open.', {
      hint: "await stack.beginEpoch('its name')",
      facts: { needs: 'begin' },
    })
  }
  const { body } = epoch
  const to = engine.now() < body.startedAt ? body.startedAt : engine.now()
  const stretch = { from: body.startedAt, to, epochId: epoch.id } as const
  const ended = {
    ...body,
    id: epoch.id,
    endedAt: to,
    ...(content === undefined ? {} : { summary: content }),
    ...(await rememberedBy(engine, stretch)),
  }
  // The epoch ends first: a caller without the right, or a second caller, must write no summary.
  const how = { expectedVersion: epoch.version, options }
  const result = await revise(engine, 'epoch', ended, how)
  if (result === null || !isAccepted(result)) {
    if (result) throw refusalError(result)
    throw new MunimentError('not_found', 'The epoch is gone.')
  }
  const summary = await toldOf(engine, {
    scope: 'epoch',
    stretch,
    title: `Epoch ${body.epochNumber}, ${body.name}`,
    ...(content === undefined ? {} : { content }),
    ...options,
  })
  const stored = await engine.read({ type: 'memory', ref: epoch.ref })
  const moment = await engine.moment()
  const shown = stored ? viewOf<'epoch'>(stored, moment) : epoch
  return { epoch: gated(shown, moment.policy, options), summary }
}

type Kept = Pick<
  EpochBody,
  'keyBeliefIds' | 'keyGoalIds' | 'keyRelationshipIds' | 'dominantDriveIds'
>

async function rememberedBy(
  engine: Engine,
  stretch: Parameters<typeof membersIn>[2],
): Promise<Kept> {
  const beliefs = (await membersIn(engine, 'belief', stretch)).members
  const goals = (await membersIn(engine, 'goal', stretch)).members
  const relationships = (await membersIn(engine, 'relationship', stretch)).members
  const drives = await findAll(engine, 'drive')
  return {
    keyBeliefIds: best(beliefs, ({ confidence }) => confidence, KEPT_MAX),
    keyGoalIds: best(goals, ({ confidence }) => confidence, KEPT_MAX),
    keyRelationshipIds: best(relationships, ({ body }) => body.interactionCount, KEPT_MAX),
    dominantDriveIds: best(drives, ({ body }) => body.intensity, DRIVES_MAX),
  }
}

const best = <M extends Pick<Memory, 'id'>>(
  memories: readonly M[],
  by: (memory: M) => number,
  max: number,
): readonly M['id'][] =>
  memories
    .toSorted((a, b) => by(b) - by(a))
    .slice(0, max)
    .map(({ id }) => id)

/** Epochs, summaries, the agent's narrative of itself, and its playbooks. */
export class Epochs {
  readonly #engine: Engine
  #turning: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * The open epoch, or null. Routed writes carry the id of the open epoch.
   * @example const epoch = await stack.epochs.current()
   */
  async current(): Promise<Memory<'epoch'> | null> {
    return openEpoch(this.#engine)
  }

  /**
   * Begins an epoch with the next number; the open epoch ends.
   * @example await stack.epochs.begin('First deploys')
   */
  async begin(name: string, options?: BeginEpochOptions | null): Promise<Accepted> {
    return this.#inTurn(() => beginEpoch(this.#engine, name, options))
  }

  /**
   * Ends the open epoch with key memories and a summary.
   * @example
   * await stack.epochs.begin('First deploys')
   * await stack.epochs.end()
   */
  async end(options?: EndEpochOptions | null): Promise<EndedEpoch> {
    return this.#inTurn(() => endEpoch(this.#engine, options))
  }

  /** Runs epoch changes one at a time, so that numbers stay dense. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turning.then(work)
    this.#turning = turn.catch(() => {}) // the caller receives the error
    return turn
  }

  /**
   * Summarises a period and cites its memories; null for an empty period.
   * @example const [periodStart, periodEnd] = ['2026-01-01T00:00:00.000Z', '2026-01-31T23:59:59.999Z']
   * await stack.epochs.summarise({ scope: 'month', periodStart, periodEnd })
   */
  async summarise(options: SummariseOptions): Promise<Summarised | null> {
    return summarise(this.#engine, options)
  }

  /**
   * Writes a new revision of the self-narrative; earlier revisions stay.
   * @example
   * await stack.epochs.narrate({ content: 'I have become careful with tables' }, { derivedFrom: [belief] })
   */
  async narrate(told: SelfNarrativeInput, options: NarrateOptions): Promise<Accepted> {
    return narrate(this.#engine, told, options)
  }

  /**
   * Counts one use of a playbook, its success, and the resulting mastery.
   * @example await stack.epochs.usePlaybook(playbook, { hasSucceeded: true })
   */
  async usePlaybook(ref: string, options: UsePlaybookOptions): Promise<Memory<'playbook'>> {
    return usePlaybook(this.#engine, ref, options)
  }
}
