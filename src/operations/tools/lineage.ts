import { z } from 'zod'
import { MunimentError } from '../../domain/errors.ts'
import type { RecordKind } from '../../domain/ids.ts'
import { splitRef } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Why } from '../../engine/history/why.ts'
import type { NearestWords, WriteTurn } from '../../engine/history/write-turn.ts'
import type { LineageStep } from '../../engine/read/memory-view.ts'
import { fenced, NOTICE } from '../../engine/read/render.ts'
import { given } from '../context.ts'
import { PERSONAL_HEADING } from '../text/withheld.ts'
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts'
import { memoryId, memoryType, notice, shownFields, shownInLineage, use } from './fields.ts'
import { READS } from './search.ts'
import { resolveOne, rounded, shown } from './shared.ts'

const lineageInput = z.strictObject({
  memory_type: memoryType.optional(),
  memory_id: memoryId,
  for: use,
})

/** A resource also names kinds that the tool does not list. */
type LineageInput = Omit<z.output<typeof lineageInput>, 'memory_type'> & {
  readonly memory_type?: RecordKind | undefined
}

export const lineageTool = defineTool({
  name: 'meta_lineage',
  title: 'Where it comes from',
  description:
    'What it was made from down to the first words, who said them, which rule let it in.',
  toolset: 'default',
  effects: READS,
  input: lineageInput,
  output: z.strictObject({
    notice,
    ref: z.string(),
    stack: z.string().exactOptional(),
    chain: z.array(z.strictObject(shownInLineage)).describe('Roots first.'),
    first_hand_roots: z.array(z.string()).describe('Empty: it rests on a model alone.'),
    turn: z.string(),
    nearest_words: z
      .array(
        z.strictObject({
          ref: z.string(),
          text: z.string(),
          label: z.string(),
          tier: z.int(),
          confidence: z.number(),
        }),
      )
      .describe('The whole prompt of the user: irony reads like a statement.'),
    evidence: z.array(z.string()),
    disagreeing: z.array(z.strictObject(shownFields)).describe('Claims that give another value.'),
    let_in_by: z.strictObject({ rule: z.string(), entry: z.int() }),
    verifications: z.int(),
    confidence_history: z.array(
      z.strictObject({
        time: z.string(),
        old: z.number(),
        new: z.number(),
        reason: z.string(),
      }),
    ),
  }),
  run: runLineage,
})

/** Walks a memory of the project; a memory missing there may be in the personal stack. */
export async function runLineage(context: ToolContext, input: LineageInput): Promise<ToolAnswer> {
  const { personal = null } = context
  try {
    return await lineageIn(context, input)
  } catch (error) {
    if (personal === null || !isNotFound(error)) throw error
    const found = await lineageIn({ ...context, stack: personal }, input).catch(
      (other: unknown) => {
        throw isNotFound(other) ? error : other
      },
    )
    return {
      structured: { ...found.structured, stack: personal.stackId },
      text: `${PERSONAL_HEADING}\n${found.text}`,
    }
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof MunimentError && error.code === 'not_found'

async function lineageIn(
  { stack, caller, actor }: ToolContext,
  { memory_type, memory_id, ...use }: LineageInput,
): Promise<ToolAnswer> {
  const isBare = memory_type !== undefined && !memory_id.includes(':')
  const named = isBare ? `${memory_type}:${memory_id}` : memory_id
  const ref = await resolveOne(stack, 'memory_id', named)
  if (memory_type !== undefined && splitRef(ref).kind !== memory_type) {
    throw new MunimentError('not_found', `${ref} is not a ${memory_type}.`, {
      issues: [{ path: 'memory_type', message: `is ${splitRef(ref).kind} for ${ref}` }],
    })
  }
  const answer = await stack.history.why(ref, { caller, actor, ...given(use) })
  const structured = whyOf(answer)
  const said = structured.chain.map(({ actor: who, path, derived_from: from, ...rest }) => ({
    ...rest,
    from,
    by: { actor: who, path },
  }))
  return {
    structured,
    text: [
      fenced(said),
      ...turnText(answer.turn),
      ...disagreeingText(structured.disagreeing),
      endOf(structured),
    ].join('\n'),
  }
}

const disagreeingText = (claims: ReturnType<typeof whyOf>['disagreeing']): readonly string[] =>
  claims.length === 0 ? [] : ['Claims that give another value:', fenced(claims)]

/** The user's words nearest to the memory, fenced; or a note that none come near. */
function turnText(turn: WriteTurn | null): readonly string[] {
  if (turn === null) return []
  const { nearestWords } = turn
  return [turnSentence(turn), ...(nearestWords === null ? [] : [fenced([saidBy(nearestWords)])])]
}

function turnSentence({ nearestWords, promptsInSession }: WriteTurn): string {
  if (nearestWords !== null) {
    const turn = nearestWords.isSameTurn ? 'this turn' : 'an earlier turn'
    return `In ${turn} the user said words near it. Judge by all of them whether they state it.`
  }
  return promptsInSession === 0
    ? 'No words of the user were captured in this turn.'
    : 'No words of the user in this turn state it.'
}

const saidBy = ({ ref, prompt, tier }: NearestWords) => ({
  ref,
  text: prompt ?? '(withheld)',
  label: 'UserAsserted' as const,
  tier,
  confidence: 1,
})

function whyOf(why: Why) {
  const { memory, lineage: steps, evidence, disagreeing, letInBy } = why
  const { confidenceHistory, turn } = why
  return {
    notice: NOTICE,
    ref: memory.ref,
    chain: steps.map(stepOf),
    first_hand_roots: steps.filter(isFirstHandRoot).map(({ memory: root }) => root.ref),
    turn: turn === null ? 'No turn is recorded.' : turnSentence(turn),
    nearest_words: turn?.nearestWords ? [saidBy(turn.nearestWords)] : [],
    evidence: evidence.map((each) => each.ref),
    disagreeing: disagreeing.map((claim) => shown(claim)),
    let_in_by: { rule: letInBy.rule ?? 'unknown', entry: letInBy.seq },
    verifications: memory.verificationCount,
    confidence_history: confidenceHistory.map((change) => ({
      time: change.time,
      old: rounded(change.old),
      new: rounded(change.new),
      reason: change.reason,
    })),
  }
}

function stepOf({ memory, parents }: LineageStep) {
  const { sourceType, sourceId, ingestionPath, llmModel, relayed } = memory.provenance
  return {
    ...shown(memory),
    source_type: sourceType,
    actor: sourceId,
    path: ingestionPath,
    ...(llmModel === null ? {} : { model: llmModel }),
    relayed,
    derived_from: parents,
  }
}

const isFirstHandRoot = ({ memory, parents }: LineageStep): boolean =>
  parents.length === 0 && isFirstHand(labelName(memory.provenance.label))

function endOf({ ref, let_in_by, first_hand_roots }: ReturnType<typeof whyOf>): string {
  const rests =
    first_hand_roots.length === 0
      ? 'It rests on a model alone: nothing first-hand is at its root.'
      : `It comes down to first-hand words: ${first_hand_roots.join(', ')}.`
  return `${ref} was let in by the rule ${let_in_by.rule}, entry ${let_in_by.entry}. ${rests}`
}
