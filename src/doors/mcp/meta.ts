import type { Use } from '../../domain/doors.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import { type RecordKind, type Ref, splitRef } from '../../domain/ids.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { redacted } from '../../domain/words/secrets.ts'
import type { Why } from '../../engine/history/why.ts'
import type { StatedBy, WriteTurn } from '../../engine/history/write-turn.ts'
import type { LineageStep, Memory } from '../../engine/read/memory-view.ts'
import { fenced, NOTICE } from '../../engine/read/render.ts'
import { given } from '../../operations/context.ts'
import type { READ_TOOLS } from '../../operations/tools.ts'
import { PERSONAL_HEADING } from '../personal-words.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { resolved, resolveOne } from './refs.ts'
import { rounded, shown } from './show.ts'

type InputOf<T extends keyof typeof READ_TOOLS> = (typeof READ_TOOLS)[T]['input']['_zod']['output']

interface LineageInput {
  readonly memory_type?: RecordKind | undefined
  readonly memory_id: string
  readonly for?: Use | undefined
}

/** Walks a memory of the project; a memory missing there may be in the personal stack. */
export async function lineage(context: ToolContext, input: LineageInput): Promise<ToolAnswer> {
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

/** The user's sentence stating the memory, fenced; or a note that no captured sentence does. */
function turnText(turn: WriteTurn | null): readonly string[] {
  if (turn === null) return []
  const { statedBy } = turn
  return [turnSentence(turn), ...(statedBy === null ? [] : [fenced([statedOf(statedBy)])])]
}

function turnSentence({ statedBy, promptsInSession }: WriteTurn): string {
  if (statedBy !== null) {
    return `The user stated it ${statedBy.isSameTurn ? 'in this turn' : 'in an earlier turn'}.`
  }
  return promptsInSession === 0
    ? 'No words of the user were captured in this turn.'
    : 'No words of the user in this turn state it.'
}

const statedOf = ({ ref, text, tier }: StatedBy) => ({
  ref,
  text: text ?? '(withheld)',
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
    stated_by: turn?.statedBy ? [statedOf(turn.statedBy)] : [],
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

const REASONS: Readonly<Record<string, string>> = {
  attested:
    'written down as said: the evidence is not first-hand, or is of its own lineage, or was counted before',
  not_found: 'there is no such memory',
  set_aside: 'it is set aside and waits for review',
}

export async function verify(
  { stack, caller, actor, redact = redacted }: ToolContext,
  { memory_id, evidence }: InputOf<'verify'>,
): Promise<ToolAnswer> {
  const ref = await resolveOne(stack, 'memory_id', memory_id)
  const refs = await resolved(stack, 'evidence', evidence.filter(isLikeRef))
  const words = wordsIn(evidence)
  await assertThere(stack, refs)
  const { changed, reason } = await stack.changes.verify(ref, {
    evidence: refs,
    ...(words === null ? {} : { reason: redact(words) }),
    caller,
    actor,
  })
  const memory = await memoryOf(stack, ref)
  const why = changed
    ? 'independent first-hand evidence'
    : (REASONS[reason ?? ''] ?? reason ?? 'unchanged')
  const structured = {
    ref,
    verified: changed,
    reason: why,
    confidence: rounded(memory.confidence),
    verifications: memory.verificationCount,
  }
  const text = `${ref} was ${changed ? 'verified' : 'not verified'}: ${why}. Confidence ${structured.confidence}.`
  return { structured, text }
}

/**
 * Evidence other than refs is the reason, kept whole or refused: half a reason could mean something
 * else.
 */
function wordsIn(evidence: readonly string[]): string | null {
  const broken = evidence.findIndex((each) => !each.isWellFormed())
  if (broken >= 0) {
    throw new MunimentError('invalid_input', 'A text in evidence holds half a character.', {
      issues: [{ path: `evidence.${broken}`, message: 'holds half a character' }],
    })
  }
  const words = evidence.filter((each) => !isLikeRef(each)).join('\n')
  const most = LIMITS.shortTextCharsMax
  if (words.length > most) {
    throw new LimitError('shortTextCharsMax', most, words.length, {
      issues: [{ path: 'evidence', message: `has more than ${most} characters that are no refs` }],
    })
  }
  return words === '' ? null : words
}

/** A text shaped like a ref, even without a memory: a misspelt ref must not pass as words. */
const isLikeRef = (text: string): boolean => /^(?:[a-z_]+:)?[0-9a-f-]{8,36}$/.test(text)

async function assertThere(stack: ToolContext['stack'], refs: readonly Ref[]): Promise<void> {
  for (const [index, each] of refs.entries()) {
    const { kind, id } = splitRef(each)
    if (await stack.getMemory(kind, id)) continue
    throw new MunimentError('not_found', `${each} does not exist in this stack.`, {
      issues: [{ path: `evidence.${index}`, message: 'does not exist' }],
    })
  }
}

async function memoryOf(stack: ToolContext['stack'], ref: Ref): Promise<Memory> {
  const { kind, id } = splitRef(ref)
  const memory = await stack.getMemory(kind, id)
  if (memory) return memory
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`, {
    issues: [{ path: 'memory_id', message: 'does not exist' }],
  })
}

export async function uncertain(
  { stack, caller, actor }: ToolContext,
  { threshold, apply_decay, limit }: InputOf<'uncertain'>,
): Promise<ToolAnswer> {
  const found = await stack.history.uncertain({
    threshold,
    applyDecay: apply_decay,
    limit,
    caller,
    actor,
  })
  const items = found.map(({ memory, confidence, restingOnIt }) => ({
    ...shown(memory),
    confidence: rounded(confidence),
    resting_on_it: restingOnIt,
  }))
  const text = items.length === 0 ? `Nothing is below ${threshold}.` : fenced(items)
  return { structured: { notice: NOTICE, items }, text }
}

export async function review(
  { stack, caller, actor }: ToolContext,
  { kinds, limit }: InputOf<'review'>,
): Promise<ToolAnswer> {
  const found = await stack.review.list({
    limit,
    ...(kinds === undefined ? {} : { kinds }),
    caller,
    actor,
  })
  const items = found.map(({ memory, kind, reasons }) => ({
    ...shown(memory),
    waits_as: kind,
    reasons,
  }))
  const text =
    items.length === 0
      ? 'Nothing waits for a person.'
      : `${fenced(items.map((item) => ({ ...item, waitsAs: item.waits_as })))}\nOnly a person answers these, in a terminal.`
  return { structured: { notice: NOTICE, items }, text }
}
