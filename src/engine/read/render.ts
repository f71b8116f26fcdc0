import { isTier } from '../../domain/doors.ts'
import { parseRef } from '../../domain/ids.ts'
import { labelName, tryParseLabel } from '../../domain/labels.ts'
import { type ClaimStatus, isClaimStatus } from '../../fold/fold-line.ts'
import type { SearchResult } from '../../ports/component.ts'
import type { RecallResult } from '../search/search.ts'
import { oneOf, wrong } from '../write/arguments.ts'
import { fenced, type Recalled } from './fence.ts'
import type { Loaded, LoadedItem } from './load.ts'
import { itemsIn } from './loaded.ts'
import { type Served, servedBySearch } from './served.ts'

/** Results that can go to a model: search results, with or without a verdict, or working memory. */
export type Renderable = readonly SearchResult[] | RecallResult | Loaded

export interface RenderOptions {
  /** A block of data for a prompt; no other use exists yet. */
  readonly for: 'prompt'
  /** Maximum length; the least important items are left out, and the text gives their number. */
  readonly charsMax?: number
}

export interface Rendered {
  readonly text: string
  /** The memories in the text. */
  readonly served: readonly Served[]
}

const NOTHING = 'Nothing is remembered about that.'
const UNLIKELY = 'Nothing that is remembered is likely to answer this; what comes nearest:'

export function rendered(what: Renderable, options: RenderOptions): Rendered {
  oneOf('for', options.for, ['prompt'])
  const { items, served, before } = partsOf(what)
  const kept = withinChars(items, { charsMax: options.charsMax ?? Infinity, before })
  return { text: kept.text, served: served.slice(0, kept.count) }
}

interface Parts {
  readonly items: readonly Recalled[]
  /** One for each item. */
  readonly served: readonly Served[]
  readonly before: string | null
}

function partsOf(what: Renderable): Parts {
  if (typeof what !== 'object' || what === null) throw wrong('what', 'results or working memory')
  if (isLoaded(what)) {
    const items = itemsIn(what)
    return {
      items: items.map(recalledItem),
      served: items.map(({ memory: { ref, tier, text } }) => ({ ref, tier, text })),
      before: null,
    }
  }
  const results = 'results' in what ? what.results : what
  const isUnlikely = 'answerable' in what && !what.answerable.isLikely
  return {
    items: results.map(papersOf),
    served: servedBySearch(results),
    before: isUnlikely ? UNLIKELY : null,
  }
}

const isLoaded = (what: Renderable): what is Loaded => '_meta' in what

interface Within {
  readonly charsMax: number
  readonly before: string | null
}

/** Removes the least important items until the rest fits, because a cut fence protects nothing. */
function withinChars(items: readonly Recalled[], { charsMax, before }: Within) {
  for (let count = items.length; count > 0; count -= 1) {
    const left = items.length - count
    const after = left === 0 ? [] : [`${left} more were left out for want of room.`]
    const lines = [...(before === null ? [] : [before]), fenced(items.slice(0, count)), ...after]
    const text = lines.join('\n')
    if (text.length <= charsMax) return { text, count }
  }
  return {
    text: items.length === 0 ? NOTHING : `${items.length} were left out for want of room.`,
    count: 0,
  }
}

/** An item of working memory, with provenance. */
const recalledItem = ({ memory, content, standing }: LoadedItem): Recalled => ({
  ref: memory.ref,
  text: content,
  label: labelName(memory.provenance.label),
  tier: memory.tier,
  confidence: memory.confidence,
  ...(standing === undefined ? {} : { also: MARKS[standing] ?? [] }),
})

/** Notes for claims that are not simply held. */
const MARKS: Partial<Record<ClaimStatus, readonly string[]>> = {
  contested: ['contested: others say otherwise'],
  beside: ['beside what was said first-hand otherwise'],
  planned: ['does not hold yet'],
  replaced: ['replaced: holds no longer'],
  past: ['past: holds no longer'],
  retracted: ['taken back'],
  denied: ['decided against'],
  set_aside: ['set aside: believed by nobody'],
}

const marksOf = (standing: unknown): readonly string[] =>
  (isClaimStatus(standing) ? MARKS[standing] : undefined) ?? []

/**
 * A search result with provenance; a component's result without provenance is shown at the lowest
 * tier.
 */
export function papersOf(result: SearchResult): Recalled {
  const { memoryType, memoryId, content, metadata } = result
  const { tier, confidence, provenance, standing } = metadata
  const also = marksOf(standing)
  const label = tryParseLabel(isRecord(provenance) ? provenance.label : null)
  return {
    ref: parseRef(`${memoryType}:${memoryId}`), // only a parsed ref may stand outside the bars
    text: content,
    label: label ? labelName(label) : 'RecallReEntry',
    tier: isTier(tier) ? tier : 0,
    confidence: typeof confidence === 'number' ? confidence : 0,
    ...(also.length === 0 ? {} : { also }),
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
