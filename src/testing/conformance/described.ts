import type { Tier } from '../../domain/doors.ts'
import type { RecordKind } from '../../domain/ids.ts'
import type { LabelName } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { Store } from '../../ports/store.ts'
import type { Scribe } from './scribe.ts'

/** Texts that a careless query misreads: quotes, commas, syntax, the empty text. */
export const TEXTS = [
  'plain',
  'Plain',
  'Ünï cödé',
  'Ünï cödé'.normalize('NFD'),
  '日本',
  '👩‍👩‍👧',
  "it's",
  'say "hi"',
  ',',
  '","',
  '["x"]',
  '\\',
  'back\\"slash',
  'nul\0in',
  'nul',
  '',
  ' ',
  '%',
  'null',
  'x\ny',
  '\u2028',
  '\ufeffmarked', // stripped by some drivers and parsers
  'in\ufeffside',
  '\ufeff',
  '\\\ufeff',
  '\u0001', // the escape character of a store
  '\u0001\u0003',
  'in\u0001side',
  '\ufffd', // the replacement for half a character in careless code
] as const

/** Half a character: no stored text contains one alone. */
export const HALF = '\ud800'

const at = <Item>(items: readonly Item[], index: number): Item =>
  items[index % items.length] as Item // the rest of a division is inside

const DISPOSITIONS: readonly Disposition[] = ['CommittedCheap', 'Quarantined', 'Rejected']
const LABELS: readonly LabelName[] = ['ModelDerived', 'UserAsserted', 'ExternalFirstHand']
const TIERS: readonly Tier[] = [0, 1, 2, 3]
const NUMBERS = [0, 0.2, 0.5, 0.500_000_000_1, 1]

/** A memory whose every facet is one of the texts or none; the steps have no common divisor. */
function described(state: MemoryState, index: number): MemoryState {
  const textOr = (step: number, every: number): string | null =>
    index % every === 0 ? null : at(TEXTS, index * step)
  const listOf = (step: number): readonly string[] =>
    [at(TEXTS, index * step), at(TEXTS, index + step)].slice(0, index % 3)
  return {
    ...state,
    session: textOr(10, 4),
    captured: index % 6 === 1,
    label: at(LABELS, Math.floor(index / 3)),
    door: at(['hook', 'lib'], Math.floor(index / 3)),
    facets: {
      subtype: textOr(1, 5),
      status: textOr(2, 7),
      name: textOr(4, 3),
      context: textOr(5, 2),
      contextTags: index % 4 === 0 ? [] : listOf(8),
      tags: listOf(1),
    },
    weight: at([0, 0.5, 0.5, 80, 0, 0.1], index),
    strength: { ...state.strength, value: at(NUMBERS, index) },
    confidence: { ...state.confidence, value: at(NUMBERS, index * 2 + 1) },
    tier: at(TIERS, index),
    disposition: at(DISPOSITIONS, index),
  }
}

export const DESCRIBED_KINDS = ['note', 'belief', 'value'] as const satisfies readonly RecordKind[]
const COUNT = 203

/**
 * Memories that differ in every field a list can filter by, oldest first; all contain the word
 * `common`.
 */
export async function writeDescribed(
  scribe: Scribe,
  store: Store,
): Promise<readonly MemoryState[]> {
  scribe.birth()
  const states: MemoryState[] = []
  for (let index = 0; index < COUNT; index += 1) {
    const kind = at(DESCRIBED_KINDS, index)
    const content = `common ${index % 2 === 0 ? 'even' : 'odd'} ${'more '.repeat(index % 3)}`
    const state = described(scribe.save({ kind, content }), index)
    scribe.replace(state)
    states.push(state)
    if (index % 60 === 59) await scribe.commit(store)
  }
  await scribe.commit(store)
  return states
}
