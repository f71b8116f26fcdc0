import type { Ref } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { isAccepted } from '../../domain/write.ts'
import { commonLessons } from '../../recall/patterns.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { tierMinOf, WITHHELD_TEXT } from '../read/use-gate.ts'
import { type ActOptions, given, oneOf, speakerOf, wrong } from '../write/arguments.ts'
import { retryAfterHeadMove } from '../write/outcomes.ts'
import { oneOf as oneOfWritten } from '../write/write.ts'
import { knownBelief } from './suggestions.ts'

export interface PromoteOptions extends ActOptions {
  readonly context?: string
  /** The result of a recurring lesson: a belief at once, or a suggestion for review. */
  readonly as?: 'belief' | 'suggestion'
  readonly minEpisodes?: number
}

export interface Promoted {
  readonly episodesScanned: number
  readonly patternsFound: number
  readonly beliefsCreated: readonly Ref[]
  readonly suggestionsCreated: readonly Ref[]
  /** Lessons already believed or suggested; and lessons refused by the gate. */
  readonly alreadyKnown: number
  readonly refused: readonly { readonly lesson: string; readonly message: string }[]
}

const CONFIDENCE = 0.7 // of a belief from recurrence alone
const MADE_BY = 'muniment:promotion'

/** Turns recurring lessons into beliefs with citations of the episodes. */
export async function promote(
  engine: Engine,
  asked?: PromoteOptions | null,
): Promise<{
  readonly promoted: Promoted
  /** Episodes with words in the report: sources of a refused lesson. */
  readonly told: readonly Memory<'episode'>[]
}> {
  const options = given(asked)
  const { context, minEpisodes } = options
  const as = oneOf('as', options.as ?? 'belief', ['belief', 'suggestion'])
  if (minEpisodes !== undefined && !(Number.isInteger(minEpisodes) && minEpisodes > 0)) {
    throw wrong('minEpisodes', 'a whole number, 1 or more')
  }
  const episodes = await findAll(engine, 'episode', context === undefined ? {} : { context })
  const found = commonLessons(
    episodes.map(({ ref, body }) => ({ ref, lessons: body.lessons })).reverse(), // oldest first
    minEpisodes === undefined ? {} : { min: minEpisodes },
  )
  const byRef = new Map<string, Memory<'episode'>>(episodes.map((each) => [each.ref, each]))
  const needed = tierMinOf((await engine.moment()).policy, options, 0)
  const made: Ref[] = []
  const told: Memory<'episode'>[] = []
  const refused: { lesson: string; message: string }[] = []
  let alreadyKnown = 0
  let suggested: ReadonlySet<string> | null = null // read again after a commit of another writer
  let met: number | null = null
  const isKnown = async (statement: string, expectedMoves: number | null): Promise<boolean> => {
    if (suggested === null || met !== expectedMoves) {
      suggested = as === 'suggestion' ? await suggestedStatements(engine) : new Set()
      met = expectedMoves
    }
    return suggested.has(statement) || (await knownBelief(engine, { statement })) !== undefined
  }
  for (const { lesson, refs } of found) {
    const sources = refs.slice(0, LIMITS.parentsMax) as unknown as readonly Ref[] // read above
    const request = requestFor({ as, lesson, sources, context }, engine, options)
    const { caller } = speakerOf(engine.stackId, 'promote', options)
    const result = await retryAfterHeadMove(engine, async (expectedMoves) =>
      (await isKnown(lesson, expectedMoves))
        ? null
        : oneOfWritten(await engine.writeAll([request], caller, expectedMoves)),
    )
    if (result === null) alreadyKnown += 1
    else if (isAccepted(result)) made.push(result.ref)
    else {
      const sayers = refs.flatMap((ref) => byRef.get(ref) ?? [])
      const isReadable = sayers.every(({ tier }) => tier >= needed)
      refused.push({ lesson: isReadable ? lesson : WITHHELD_TEXT, message: result.message ?? '' })
      if (isReadable) told.push(...sayers)
    }
  }
  const promoted = {
    episodesScanned: episodes.length,
    patternsFound: found.length,
    beliefsCreated: as === 'belief' ? made : [],
    suggestionsCreated: as === 'suggestion' ? made : [],
    alreadyKnown,
    refused,
  }
  return { promoted, told }
}

interface Pattern {
  readonly as: 'belief' | 'suggestion'
  readonly lesson: string
  readonly sources: readonly Ref[]
  readonly context: string | undefined
}

/** A recurring lesson is an inference, so its label is ModelDerived for every caller. */
function requestFor(
  { as, lesson, sources, context }: Pattern,
  engine: Engine,
  options: PromoteOptions,
) {
  const { caller, actor } = speakerOf(engine.stackId, 'promote', options)
  const provenance: RoutedPayload = {
    sourceType: 'consolidation',
    label: label.modelDerived(),
    sourceId: actor,
    sourceEntity: MADE_BY,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: CONFIDENCE,
    llmModel: `unknown:${MADE_BY}`,
  }
  const placed = context === undefined ? {} : { context }
  if (as === 'suggestion') {
    const content = { statement: lesson, beliefType: 'pattern', ...placed }
    const body = {
      memoryType: 'belief' as const,
      content,
      confidence: CONFIDENCE,
      sourceRefs: [...sources],
    }
    return { kind: 'suggestion' as const, body, provenance }
  }
  const body = { statement: lesson, beliefType: 'pattern' as const, ...placed }
  return { kind: 'belief' as const, body, provenance: { ...provenance, derivedFrom: [...sources] } }
}

/** Open and answered suggestions: a dismissed suggestion is not repeated. */
async function suggestedStatements(engine: Engine): Promise<ReadonlySet<string>> {
  const all = await findAll(engine, 'suggestion', {
    subtype: 'belief',
    includeForgotten: true,
    includeSetAside: true,
  })
  const open = all.filter(({ status }) => status !== 'expired')
  return new Set(
    open.map(({ body }) => String((body.content as { statement?: unknown }).statement)),
  )
}
