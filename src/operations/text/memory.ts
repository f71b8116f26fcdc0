import { restingStatus } from '../../domain/kinds/goal.ts'
import { labelName } from '../../domain/labels.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Page } from './page.ts'
import { speaker } from './speaker.ts'
import { type Cell, clippedTable } from './table.ts'
import { age, block, oneLine, shortRef, wrap } from './words.ts'

/** Dispositions of memories that are not simply in use, in words. */
const STANDING: Readonly<Record<Exclude<Disposition, Ordinary>, string>> = {
  Contested: 'contested',
  Corroborated: 'said again',
  Distrusted: 'not believed',
  Invalidated: 'no longer valid',
  PendingConflict: 'waits: in conflict',
  PendingLowConfidence: 'waits: low confidence',
  PendingReview: 'waits for review',
  Quarantined: 'set aside',
  QueuedForAdjudication: 'waits for a verdict',
  Reinstated: 'reinstated',
  Rejected: 'rejected',
  Superseded: 'superseded',
}

type Ordinary = 'CommittedCheap' | 'CommittedInferred'

const isOrdinary = (disposition: Disposition): disposition is Ordinary =>
  disposition === 'CommittedCheap' || disposition === 'CommittedInferred'

/** Shown only for other dispositions: most memories were simply admitted. */
export const standingOf = ({ disposition }: Memory): string =>
  isOrdinary(disposition) ? '' : STANDING[disposition]

/** Marks a memory as erased or forgotten; empty for a memory in use. */
const goneAs = ({ erased, strengthTier }: Memory): string =>
  erased !== null ? 'ERASED' : strengthTier === 'forgotten' ? 'FORGOTTEN' : ''

/** The provenance of a memory on one line. */
export function provenanceLine(memory: Memory, { now, isVerbose }: Page): string {
  const { provenance, tier, createdAt } = memory
  const path = oneLine(provenance.ingestionPath)
  const [door = path] = path.split(':')
  return [
    speaker(labelName(provenance.label), door),
    `tier ${tier}`,
    isVerbose ? labelName(provenance.label) : '',
    oneLine(provenance.sourceId),
    isVerbose ? path : door,
    provenance.captured ? 'captured' : '',
    standingOf(memory),
    goneAs(memory),
    age(createdAt, now),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

export function memoryTable(memories: readonly Memory[], page: Page): readonly string[] {
  const { ink, now, width, isVerbose } = page
  const rows = memories.map((memory): readonly Cell[] => {
    const ref = shortRef(memory.ref)
    const standing = standingOf(memory)
    const { label, ingestionPath } = memory.provenance
    const faded = memory.strengthTier === 'strong' ? '' : memory.strengthTier
    const marks = [
      standing,
      isVerbose ? '' : faded,
      restingStatus(memory.kind, memory.status) ?? '',
    ]
    const shown = marks.filter((mark) => mark !== '').map((mark) => `[${mark}] `)
    const text = `${shown.join('')}${oneLine(memory.text)}`
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: age(memory.createdAt, now) },
      ...(isVerbose
        ? [
            { text: `tier ${memory.tier}` },
            { text: labelName(label) },
            { text: memory.strengthTier },
          ]
        : [{ text: speaker(labelName(label), ingestionPath.split(':')[0]) }]),
      { text },
    ]
  })
  return clippedTable(rows, width)
}

type Field = readonly [name: string, value: string | null]

/** A memory with its provenance. */
export function memoryPage(memory: Memory, page: Page): readonly string[] {
  const { ink, width } = page
  if (memory.erased !== null) return erasedMemoryPage(memory, page)
  const text = block(memory.text).flatMap((line) => wrap(line, width - 4))
  return [
    `${ink.ref(memory.ref)}`,
    ...text.map((line) => `  ${ink.quote(line)}`),
    '',
    ...fieldLines('Where it stands', standing(memory, page), page),
    '',
    ...fieldLines('What it says', bodyFields(memory), page),
    '',
    ...fieldLines('Birth certificate', certificate(memory), page),
  ]
}

/** Only the ledger's side of an erased memory is left; its fields would be blanks and zeros. */
function erasedMemoryPage(memory: Memory, page: Page): readonly string[] {
  const { ref, erased, createdAt, disposition, tier } = memory
  const ended = erased === null ? null : `entry ${erased.seq}: muniment why ${shortRef(ref)}`
  const left: readonly Field[] = [
    ['erased by', ended],
    ['born', `${createdAt} (${age(createdAt, page.now)})`],
    ['label', labelName(memory.provenance.label)],
    ['disposition', disposition],
    ['tier', String(tier)],
  ]
  return [
    page.ink.ref(ref),
    '  (erased)',
    '',
    ...fieldLines('What is left of it', left, page),
    '',
    page.ink.faint(
      `proof of it, for anyone: muniment ledger certificate ${shortRef(ref)} > erased.json`,
    ),
  ]
}

const standing = (memory: Memory, { now }: Page): readonly Field[] => [
  ['disposition', memory.disposition],
  ['tier', String(memory.tier)],
  ['confidence', today(memory.confidence, memory.stored.confidence)],
  ['strength', `${today(memory.strength, memory.stored.strength)}, ${memory.strengthTier}`],
  ['protected', memory.isProtected ? 'yes' : 'no'],
  ['status', memory.status],
  ['tags', memory.tags.join('; ') || null],
  ['evidence', memory.evidence.map(shortRef).join(', ') || null],
  ['verified', memory.verificationCount === 0 ? null : `${memory.verificationCount} times`],
  ['waits', memory.review === null ? null : `in review: ${memory.review}`],
  ['version', `${memory.version} (entry ${memory.entry.seq})`],
  ['born', `${memory.createdAt} (${age(memory.createdAt, now)})`],
]

/** After decay, shows the ledger's last number too. */
const today = (now: number, stored: number): string =>
  now.toFixed(2) === stored.toFixed(2)
    ? now.toFixed(2)
    : `${now.toFixed(2)} (was ${stored.toFixed(2)})`

const bodyFields = ({ body }: Memory): readonly Field[] =>
  Object.entries(body).map(([name, value]) => [name, valueText(value)])

function valueText(value: unknown): string | null {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.join('; ')
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function certificate({ provenance: p }: Memory): readonly Field[] {
  return [
    ['label', `${labelName(p.label)} (${p.source})`],
    ['source type', p.sourceType],
    ['handed in by', p.sourceId],
    ['said to be from', p.sourceEntity],
    ['came in by', p.ingestionPath],
    ['at', p.timestamp],
    ['event time', p.eventTime],
    ['session', p.session],
    ['model', p.llmModel],
    ['document', p.document],
    ['captured', p.captured ? 'yes, for what cites it' : null],
    ['relayed', p.relayed ? 'yes' : null],
    ['made from', p.derivedFrom.map(shortRef).join(', ') || null],
    ['revised from', p.revisedFrom?.map(shortRef).join(', ') ?? null],
    ['evidence', p.sourceEpisodes.map(shortRef).join(', ') || null],
    ['depth', `${p.depthNearest ?? 'none'} nearest, ${p.depthFarthest ?? 'none'} farthest`],
    ['tier at birth', String(p.trustTier)],
    ['content hash', p.contentHash],
    ['policy hash', p.policyHash],
  ]
}

function fieldLines(title: string, fields: readonly Field[], page: Page): readonly string[] {
  const { ink, width } = page
  const present = fields.filter((field): field is [string, string] => field[1] !== null)
  const nameWidth = Math.max(0, ...present.map(([name]) => name.length))
  const room = Math.max(30, width - nameWidth - 4)
  const lines = present.flatMap(([name, value]) => {
    const [first = '', ...rest] = wrap(oneLine(value), room)
    const margin = ' '.repeat(nameWidth + 4)
    return [
      `  ${ink.faint(name.padEnd(nameWidth))}  ${first}`,
      ...rest.map((line) => `${margin}${line}`),
    ]
  })
  return [ink.strong(title), ...lines]
}
