import { lowerTier, type Tier } from '../../../domain/doors.ts'
import { parseRef, type RecordKind, type Ref } from '../../../domain/ids.ts'
import { identityParts } from '../../../domain/kinds/content.ts'
import type { JsonObject } from '../../../domain/kinds/json-value.ts'
import { type BodyInputOf, parseBody } from '../../../domain/kinds/table.ts'
import { label, labelName } from '../../../domain/labels.ts'
import type { RoutedPayload } from '../../../domain/provenance.ts'
import { toMs } from '../../../domain/time.ts'
import type { TransitionName } from '../../../domain/vocabulary.ts'
import { contentHash } from '../../../ledger/ledger.ts'
import type { Narrowed, StoredMemory } from '../../../ports/store.ts'
import { cutAtWord } from '../../../recall/cut-at-word.ts'
import { badAnswer, type ModelCalls } from '../../components/model-calls.ts'
import { latestReport } from '../../components/reports.ts'
import type { Engine } from '../../engine.ts'
import { narrowing } from '../../read/list.ts'
import { type Memory, viewOf } from '../../read/memory-view.ts'
import { fenced } from '../../read/render.ts'
import type { Moment } from '../../world.ts'
import type { WriteRequest } from '../../write/write-request.ts'
import { type Drafted, type Purse, promptFor, readAnswer, SYSTEM, schemaFor } from '../prompt.ts'
import { draftedByRule, type Source, type Transition, transitionNamed } from '../rules.ts'
import { type CheckedDraft, type DroppedReason, holdsUp } from '../suggestion-checks.ts'

/** A memory for processing, with its view as a source. */
export interface Waiting {
  readonly seq: number
  readonly memory: Memory
  readonly source: Source
}

/** The progress of a transition, from its last report. */
export interface Reached {
  /** The last examined memory, by the entry of its birth. */
  readonly upto: number
  /** Examined protected beliefs, by entry: an old belief may become protected later. */
  readonly looked: readonly number[]
  /** Bad answers in a row. */
  readonly failures: number
}

export const reportName = (name: TransitionName, by: 'model' | 'rule'): string =>
  by === 'model' ? name : `${name}:rule`

export async function reachedBy(engine: Engine, about: string): Promise<Reached> {
  const fields: JsonObject = (await latestReport(engine, { topic: 'processing', about })) ?? {}
  const numberOr = (value: unknown, otherwise: number): number =>
    typeof value === 'number' ? value : otherwise
  return {
    upto: numberOr(fields.upto, -1),
    looked: Array.isArray(fields.looked) ? fields.looked.map(Number) : [],
    failures: numberOr(fields.failures, 0),
  }
}

const LOOKED_AT_MAX = 50 // memories read to decide if a step is due …
const RULED_MAX = 500 // … or to draft by rule, which is free
const PAGE = 1_000

/** Memories that wait for a transition, oldest first, up to a limit. */
export async function waitingFor(
  engine: Engine,
  transition: Transition,
  { upto, looked, by }: Pick<Reached, 'upto' | 'looked'> & { readonly by: 'model' | 'rule' },
): Promise<readonly Waiting[]> {
  if (transition.protectedOnly) return protectedIn(engine, transition, looked)
  const moment = await engine.moment()
  const { from } = transition
  const limit = by === 'rule' ? RULED_MAX : LOOKED_AT_MAX
  const where = { ...narrowing({}, moment), untouched: true as const }
  const found = await engine.read({
    type: 'memories',
    where: { ...where, kind: from, present: true },
    order: 'oldest',
    after: upto,
    limit,
  })
  return found.map((stored) => waitingOf(stored, moment))
}

/**
 * All protected memories while at least one is unexamined: unexamined ones first, then the newest,
 * so that every batch has new memories and enough sources.
 */
async function protectedIn(
  engine: Engine,
  { from }: Transition,
  looked: readonly number[],
): Promise<readonly Waiting[]> {
  const moment = await engine.moment()
  const known = new Set(looked)
  const fresh: Waiting[] = []
  const seen: Waiting[] = []
  for await (const stored of allOf(engine, from, narrowing({}, moment))) {
    if (!stored.state.isProtected) continue
    const shelf = known.has(stored.state.seq) ? seen : fresh
    shelf.push(waitingOf(stored, moment))
  }
  return fresh.length === 0 ? [] : [...fresh, ...seen.reverse()]
}

/** Every episode with lessons, oldest first, because lessons recur across batches. */
export async function taughtIn(engine: Engine, { from }: Transition): Promise<readonly Waiting[]> {
  const moment = await engine.moment()
  const taught: Waiting[] = []
  for await (const stored of allOf(engine, from, { ...narrowing({}, moment), untouched: true })) {
    const waiting = waitingOf(stored, moment)
    if (waiting.source.lessons.length > 0) taught.push(waiting)
  }
  return taught
}

/** The newest waiting memory: a step over all memories finishes with this one. */
export async function newestSeq(engine: Engine, { from }: Transition): Promise<number> {
  const where = { ...narrowing({}, await engine.moment()), untouched: true as const }
  const [last] = await engine.read({
    type: 'memories',
    where: { ...where, kind: from, present: true },
    limit: 1,
  })
  return last?.state.seq ?? -1
}

async function* allOf(
  { read }: Engine,
  kind: RecordKind,
  where: Narrowed,
): AsyncGenerator<StoredMemory> {
  for (let after = -1; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { ...where, kind, present: true },
      order: 'oldest',
      after,
      limit: PAGE,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.state.seq
  }
}

function waitingOf(stored: StoredMemory, moment: Moment): Waiting {
  const memory = viewOf(stored, moment)
  const { ref, text, confidence, isProtected, createdAt } = memory
  const body = memory.body as { readonly lessons?: readonly string[] } // only episodes have lessons
  return {
    seq: stored.state.seq,
    memory,
    source: {
      ref: ref satisfies Ref,
      text,
      lessons: body.lessons ?? [],
      confidence,
      isProtected,
      arousal: arousalOf(memory),
      ageMs: toMs(moment.now) - toMs(createdAt),
    },
  }
}

/** The author's own arousal, or else a component's reading. */
function arousalOf({ body, annotations }: Memory): number {
  const own = (body as { readonly emotionalArousal?: number }).emotionalArousal ?? 0
  const read = annotations.emotions?.arousal
  return own > 0 ? own : typeof read === 'number' ? read : 0
}

export interface Draft {
  readonly items: readonly Drafted[]
  readonly sources: ReadonlyMap<string, Source>
  /** The author of the drafts, for provenance. */
  readonly model: string
  /** The lowest tier among the sources in the prompt, which bounds the results. Null by rule. */
  readonly tierMax: Tier | null
}

const SOURCE_CHARS_MAX = 1_000 // of one source in a prompt
const OUTPUT_TOKENS_MAX = 2_000

/** Drafts with a model, which sees only the sources behind a fence. */
export async function draftedByModel(
  calls: ModelCalls,
  name: TransitionName,
  { batch, purse }: { readonly batch: readonly Waiting[]; readonly purse: Purse },
): Promise<Draft> {
  const transition = transitionNamed(name)
  const named = batch.map((waiting, at) => ({ ...waiting, as: `S${at + 1}` }))
  const shown = fenced(
    named.map(({ memory, as }) => ({
      ref: memory.ref,
      text: cutAtWord(memory.text, SOURCE_CHARS_MAX),
      label: labelName(memory.provenance.label),
      tier: memory.tier,
      confidence: memory.confidence,
      also: [as],
    })),
  )
  const { text, model } = await calls.ask(
    {
      task: name,
      system: SYSTEM,
      prompt: promptFor(transition, { count: batch.length, fenced: shown }),
      schema: schemaFor(transition.to),
      outputTokensMax: OUTPUT_TOKENS_MAX,
    },
    purse,
  )
  const items = readAnswer(transition.to, text)
  if (items === null) throw badAnswer(model)
  const tierMax = batch.reduce<Tier>((least, { memory }) => lowerTier(least, memory.tier), 3)
  return { items, model, sources: new Map(named.map(({ as, source }) => [as, source])), tierMax }
}

const RULE = 'muniment:rules'

/** Drafts by rule, or null without a rule. */
export function draftedFrom(name: TransitionName, batch: readonly Waiting[]): Draft | null {
  const sources = batch.map(({ source }) => source)
  const items = draftedByRule(name, sources)
  const named = new Map(sources.map((each) => [each.ref, each]))
  return items && { items, model: RULE, sources: named, tierMax: null }
}

export type Outcome = 'suggestions' | 'memories'

interface Proposed {
  readonly requests: readonly WriteRequest[]
  readonly dropped: Readonly<Partial<Record<DroppedReason, number>>>
}

interface How {
  readonly transition: Transition
  readonly as: Outcome
  readonly actor: string
  readonly session: string
}

/** Requests for the drafts that pass the checks and are new. */
export async function proposedFrom(engine: Engine, draft: Draft, how: How): Promise<Proposed> {
  const requests: WriteRequest[] = []
  const dropped: Partial<Record<DroppedReason, number>> = {}
  const drop = (reason: DroppedReason): void => {
    dropped[reason] = (dropped[reason] ?? 0) + 1
  }
  const said = new Set<string>()
  for (const item of draft.items) {
    const held = holdsUp(item, draft.sources, how.transition)
    if (!held.ok) {
      drop(held.reason)
      continue
    }
    const isNew = !said.has(held.text) && !(await isKnown(engine, held, how.transition))
    said.add(held.text)
    if (isNew) requests.push(requestFor(held, draft, how))
    else drop('already_known')
  }
  return { requests, dropped }
}

type Sound = Extract<CheckedDraft, { ok: true }>

/** Known memories and earlier suggestions are not proposed again, except expired ones. */
async function isKnown(engine: Engine, { body }: Sound, { to }: Transition): Promise<boolean> {
  const { sha256, read } = engine
  const identity = contentHash(sha256, identityParts(to, body))
  if (
    (await read({ type: 'memories', as: 'state', where: { identity }, order: 'oldest' })).length > 0
  )
    return true
  return isSuggested(engine, suggestionOf({ to, body, confidence: 0, refs: [] }))
}

/** True if an equal suggestion is open or answered; an expired one may be proposed again. */
export async function isSuggested(
  { sha256, read }: Pick<Engine, 'sha256' | 'read'>,
  suggestion: BodyInputOf<'suggestion'>,
): Promise<boolean> {
  const body = parseBody('suggestion', suggestion)
  const identity = contentHash(sha256, identityParts('suggestion', body))
  const before = await read({ type: 'memories', as: 'state', where: { identity }, order: 'oldest' })
  return before.some(({ facets }) => facets.status !== 'expired')
}

const suggestionOf = ({
  to,
  body,
  confidence,
  refs,
}: Pick<Transition, 'to'> & Pick<Sound, 'body' | 'confidence' | 'refs'>) => ({
  memoryType: to,
  content: body as JsonObject, // parsed as a body, which is JSON
  confidence,
  sourceRefs: [...refs],
})

function requestFor(
  { body, confidence, refs }: Sound,
  { model, tierMax }: Pick<Draft, 'model' | 'tierMax'>,
  { transition: { to }, as, actor, session }: How,
): WriteRequest {
  const provenance: RoutedPayload = {
    sourceType: 'consolidation',
    label: label.modelDerived(),
    sourceId: actor,
    ingestionPath: 'lib:process',
    confidence,
    llmModel: model === RULE ? `unknown:${RULE}` : model,
    session,
    trustTier: tierMax,
  }
  if (as === 'suggestions') {
    const suggested = suggestionOf({ to, body, confidence, refs })
    return { kind: 'suggestion', body: suggested, provenance } as WriteRequest // a suggestion
  }
  const derivedFrom = refs.map((ref): Ref => parseRef(ref))
  return { kind: to, body, provenance: { ...provenance, derivedFrom } } as WriteRequest // parsed as this kind
}
