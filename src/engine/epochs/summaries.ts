import { assert } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { SHORTER_SCOPES, SUMMARY_SCOPES, type SummaryBody } from '../../domain/kinds/summary.ts'
import { label as labels } from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Instant, isInstant } from '../../domain/time.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { given, oneOf, wrong } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { type AuthorOptions, authorOf } from '../write/speaker.ts'
import { membersIn, type Stretch } from './members.ts'
import { type Material, toldByRule } from './summary-by-rule.ts'

export type Scope = SummaryBody['scope']

export interface SummariseOptions extends AuthorOptions {
  readonly scope: Scope
  readonly periodStart: string
  readonly periodEnd: string
  /** Text of the summary; made from the memories by default. */
  readonly content?: string
  readonly keyThemes?: readonly string[]
}

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
