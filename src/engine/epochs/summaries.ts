import { assert } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { SelfNarrativeInput } from '../../domain/kinds/self-narrative.ts'
import { SHORTER_SCOPES, SUMMARY_SCOPES, type SummaryBody } from '../../domain/kinds/summary.ts'
import { isFirstHand, type Label, label as labels, type SourceType } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import { type Instant, isInstant } from '../../domain/time.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import { cutAtWord } from '../../recall/cut-at-word.ts'
import { commonLessons } from '../../recall/patterns.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { type AuthorOptions, authorOf, given, oneOf, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import { membersIn, type Stretch } from './epochs.ts'

const SHOWN_MAX = 5 // lessons, beliefs and earlier summaries that are quoted
const QUOTE_CHARS_MAX = 300

interface Material {
  readonly episodes: readonly Memory<'episode'>[]
  readonly notes: readonly Memory<'note'>[]
  readonly beliefs: readonly Memory<'belief'>[]
  readonly summaries: readonly Memory<'summary'>[]
}

/** Summarises a period without a model: counts, and words of the memories. */
function toldByRule(title: string, material: Material): string {
  const { episodes, notes, beliefs, summaries } = material
  const lessons = commonLessons(
    episodes.map(({ ref, body }) => ({ ref, lessons: body.lessons })),
    { min: 1 },
  )
  const held = beliefs.toSorted((a, b) => b.confidence - a.confidence)
  const went = (type: string): number =>
    episodes.filter(({ body }) => body.outcomeType === type).length
  return [
    `${title}: ${count(episodes, 'episode')} (${went('success')} went well, ${went('failure')} did not), ${count(notes, 'note')}, ${count(beliefs, 'belief')}.`,
    ...section(
      'Lessons',
      lessons.map(({ lesson, refs }) => `${quoted(lesson)} (${refs.length})`),
    ),
    ...section(
      'Held',
      held.map(({ text, confidence }) => `${quoted(text)} (${confidence.toFixed(2)})`),
    ),
    ...section(
      'Told before',
      summaries.map(({ text }) => quoted(text)),
    ),
  ].join('\n')
}

const count = (list: readonly unknown[], noun: string): string =>
  `${list.length} ${noun}${list.length === 1 ? '' : 's'}`

const quoted = (text: string): string =>
  cutAtWord(text.replace(/\s+/gu, ' ').trim(), QUOTE_CHARS_MAX)

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const more = lines.length > SHOWN_MAX ? [`- and ${lines.length - SHOWN_MAX} more`] : []
  return [`${title}:`, ...lines.slice(0, SHOWN_MAX).map((line) => `- ${line}`), ...more]
}

type Scope = SummaryBody['scope']

/** The period and the text of a summary. */
export interface SummariseOptions extends AuthorOptions {
  readonly scope: Scope
  readonly periodStart: string
  readonly periodEnd: string
  /** Text of the summary; made from the memories by default. */
  readonly content?: string
  readonly keyThemes?: readonly string[]
}

/** A summary and the memories that it cites. */
export interface Summarised {
  readonly summary: Accepted
  readonly covers: readonly Ref[]
  /** True if the period has more memories than a summary can cite. */
  readonly isCut: boolean
}

/** Summarises a period and cites its memories; null for an empty period. */
export async function summarise(
  engine: Engine,
  asked: SummariseOptions,
): Promise<Summarised | null> {
  const { scope, periodStart: from, periodEnd: to, ...rest } = given(asked)
  oneOf('scope', scope, SUMMARY_SCOPES)
  if (!isInstant(from)) throw wrong('periodStart', 'UTC with milliseconds')
  if (!isInstant(to) || to < from)
    throw wrong('periodEnd', 'UTC with milliseconds, not before periodStart')
  return toldOf(engine, { scope, stretch: { from, to }, title: titleOf(scope, from, to), ...rest })
}

const DAY_CHARS = '2026-01-01'.length
const titleOf = (scope: Scope, from: Instant, to: Instant): string =>
  `The ${scope} from ${from.slice(0, DAY_CHARS)} to ${to.slice(0, DAY_CHARS)}`

interface Telling extends AuthorOptions {
  readonly scope: Scope
  readonly stretch: Stretch
  readonly title: string
  readonly content?: string
  readonly keyThemes?: readonly string[]
}

export async function toldOf(engine: Engine, telling: Telling): Promise<Summarised | null> {
  const { scope, stretch, title, content, keyThemes, ...options } = telling
  const { material, isCut } = await materialIn(engine, scope, stretch)
  const all = [...material.summaries, ...material.beliefs, ...material.episodes, ...material.notes]
  const covers = all.slice(0, LIMITS.parentsMax).map(({ ref }) => ref)
  if (covers.length === 0) return null
  // Every used memory is cited, so that its tier bounds the summary.
  const cited = among(material, new Set(covers))
  const { caller, actor, label } = authorOf(engine.stackId, 'summarise', options)
  // A summary by rule is an inference, so its label is ModelDerived for every caller.
  const said = content === undefined ? labels.modelDerived() : label
  const isModel = said.type === 'ModelDerived'
  const result = await engine.write(
    {
      kind: 'summary',
      body: {
        scope,
        periodStart: stretch.from,
        periodEnd: stretch.to,
        content: content ?? toldByRule(title, cited),
        covers,
        ...(keyThemes && { keyThemes }),
        ...(stretch.epochId !== undefined && { epochId: stretch.epochId }),
      },
      provenance: {
        sourceType: 'consolidation',
        label: said,
        sourceId: actor,
        ingestionPath: `${caller.door}:${caller.operation}`,
        confidence: CONFIDENCE,
        llmModel: isModel ? `unknown:${content === undefined ? RULE : actor}` : null,
        derivedFrom: [...covers],
      },
    } as never, // a summary, whose body is parsed by the stack
    caller,
  )
  if (!isAccepted(result)) throw refusalError(result)
  assert(result.ref !== null, 'an accepted write has a ref')
  return { summary: result, covers, isCut: isCut || all.length > covers.length }
}

const among = (material: Material, refs: ReadonlySet<Ref>): Material => {
  const isIn = ({ ref }: { readonly ref: Ref }): boolean => refs.has(ref)
  const { episodes, notes, beliefs, summaries } = material
  return {
    episodes: episodes.filter(isIn),
    notes: notes.filter(isIn),
    beliefs: beliefs.filter(isIn),
    summaries: summaries.filter(isIn),
  }
}

const CONFIDENCE = 0.8
const RULE = 'muniment:rules'

async function materialIn(
  engine: Engine,
  scope: Scope,
  stretch: Stretch,
): Promise<{ readonly material: Material; readonly isCut: boolean }> {
  const shorter = await shorterIn(engine, scope, stretch)
  const told = new Set(shorter.flatMap(({ body }) => body.covers))
  const episodes = await membersIn(engine, 'episode', stretch)
  const notes = await membersIn(engine, 'note', stretch)
  const beliefs = await membersIn(engine, 'belief', stretch)
  const isUntold = ({
    ref,
    provenance,
  }: {
    readonly ref: Ref
    readonly provenance: { readonly captured: boolean }
  }) => !told.has(ref) && !provenance.captured
  return {
    material: {
      summaries: latestOfEach(shorter.filter(({ ref }) => !told.has(ref))),
      episodes: episodes.members.filter(isUntold),
      notes: notes.members.filter(isUntold),
      beliefs: beliefs.members.filter(isUntold),
    },
    isCut: [episodes, notes, beliefs].some((found) => found.isCut),
  }
}

/** Selects by period: a month's summary is written later and still belongs to the quarter. */
async function shorterIn(
  engine: Engine,
  scope: Scope,
  { from, to }: Stretch,
): Promise<readonly Memory<'summary'>[]> {
  const found: Memory<'summary'>[] = []
  for (const subtype of SHORTER_SCOPES[scope]) {
    const all = await findAll(engine, 'summary', { subtype, includeWeak: true })
    for (const summary of all) {
      if (summary.body.periodStart >= from && summary.body.periodEnd <= to) found.push(summary)
    }
  }
  return found
}

/** Keeps the latest summary of each period. */
function latestOfEach(summaries: readonly Memory<'summary'>[]): readonly Memory<'summary'>[] {
  const keyOf = ({ body }: Memory<'summary'>): string =>
    [body.scope, body.periodStart, body.periodEnd].join(' ')
  const keys = summaries.map(keyOf)
  return summaries.filter((_, at) => keys.indexOf(keys[at] ?? '') === at) // newest first
}

export interface NarrateOptions extends AuthorOptions {
  /** Sources of the narrative: episodes, beliefs, values, goals, drives. */
  readonly derivedFrom: readonly string[]
}

/** Writes the self-narrative of a type as a new revision; earlier revisions stay readable. */
export async function narrate(
  engine: Engine,
  told: SelfNarrativeInput,
  asked: NarrateOptions,
): Promise<Accepted> {
  const { derivedFrom, ...options } = given(asked)
  const { narrativeType = 'identity' } = told
  const { caller, actor, label } = authorOf(engine.stackId, 'narrate', options)
  const standing = await findAll(engine, 'self_narrative', { subtype: narrativeType })
  // A person's narrative stays; a model's narrative stands beside with separate revisions.
  const isOwn = ({ provenance }: (typeof standing)[number]): boolean =>
    isFirstHand(provenance.label) === isFirstHand(label)
  const before = standing.find(isOwn) ?? (isFirstHand(label) ? standing[0] : undefined)
  if (before) {
    const record = { ...told, narrativeType, id: before.id, derivedFrom }
    const how = { expectedVersion: before.version, options }
    const result = await revise(engine, 'self_narrative', record, how)
    if (result && isAccepted(result)) return result
    if (result) throw refusalError(result)
  }
  const isModel = label.type === 'ModelDerived'
  const provenance: RoutedPayload = {
    sourceType: sourceTypeOf(label, options),
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: CONFIDENCE,
    llmModel: isModel ? `unknown:${actor}` : null,
    derivedFrom: derivedFrom as RoutedPayload['derivedFrom'] & object, // parsed by the stack
  }
  const request = { kind: 'self_narrative', body: { ...told, narrativeType }, provenance }
  const result = await engine.write(request as never, caller) // a narrative, parsed by the stack
  if (!isAccepted(result)) throw refusalError(result)
  return result
}

function sourceTypeOf({ type }: Label, { saidBy }: AuthorOptions): SourceType {
  if (saidBy !== undefined) return 'external'
  return type === 'ModelDerived' ? 'inference' : 'direct_experience'
}
