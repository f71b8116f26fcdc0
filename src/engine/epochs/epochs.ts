import { MunimentError } from '../../domain/errors.ts'
import type { EpochBody } from '../../domain/kinds/epoch.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { gated } from '../read/use-gate.ts'
import { given, nameOf } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { type ActOptions, type AuthorOptions, speakerOf } from '../write/speaker.ts'
import { membersIn } from './members.ts'
import { type Summarised, toldOf } from './summaries.ts'

export interface BeginEpochOptions extends ActOptions {
  readonly triggerType?: EpochBody['triggerType']
  readonly triggerDescription?: string
}

export interface EndEpochOptions extends AuthorOptions {
  /** Text of the summary; made from the epoch's memories by default. */
  readonly summary?: string
}

export interface EndedEpoch {
  readonly epoch: Memory<'epoch'>
  /** The summary of the epoch; null where the epoch had no memories. */
  readonly summary: Summarised | null
}

const KEPT_MAX = 10 // key beliefs, goals and relationships of an epoch
const DRIVES_MAX = 5

/** The open epoch, or null. Only the newest epoch can be open. */
export async function openEpoch(
  engine: Pick<Engine, 'read' | 'moment'>,
): Promise<Memory<'epoch'> | null> {
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
export async function beginEpoch(
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

/** Ends the open epoch with its key memories and a summary. */
export async function endEpoch(
  engine: Engine,
  asked?: EndEpochOptions | null,
): Promise<EndedEpoch> {
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
