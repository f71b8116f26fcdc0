import type { MemoryId, Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { type Dialect, type SqlRow, type SqlValue, selected, written } from './dialect.ts'
import { hashOrNull, sealedOf, type Untrusted } from './entry-rows.ts'

interface MemoryColumn {
  readonly name: string
  readonly type: 'bigint' | 'smallint' | 'float8' | 'text' | 'bytea'
  readonly value: (memory: MemoryState) => SqlValue
  /** Most changes of a memory touch no other columns. */
  readonly isOfLife: boolean
}

const fixed = (
  column: string,
  type: MemoryColumn['type'],
  value: MemoryColumn['value'],
): MemoryColumn => ({ name: column, type, value, isOfLife: false })

const life = (...given: Parameters<typeof fixed>): MemoryColumn => ({
  ...fixed(...given),
  isOfLife: true,
})

/** The table `memories` in the order of its columns. A hash is hex here, and bytes in a store. */
export const COLUMNS: readonly MemoryColumn[] = [
  fixed('seq', 'bigint', ({ seq }) => seq),
  fixed('ref', 'text', ({ ref }) => ref),
  fixed('kind', 'text', ({ kind }) => kind),
  fixed('unit', 'bigint', ({ unit }) => unit),
  fixed('revision', 'bigint', ({ revision }) => revision),
  fixed('revision_seq', 'bigint', ({ revisionSeq }) => revisionSeq),
  fixed('entry_hash', 'bytea', ({ entryHash }) => entryHash),
  fixed('born_at', 'text', ({ bornAt }) => bornAt),
  fixed('label', 'text', ({ label }) => label),
  fixed('source_type', 'text', ({ sourceType }) => sourceType),
  fixed('source_id', 'text', ({ sourceId }) => sourceId),
  fixed('door', 'text', ({ door }) => door),
  fixed('document', 'text', (memory) => memory.document),
  fixed('session', 'text', ({ session }) => session),
  fixed('captured', 'smallint', ({ captured }) => Number(captured)),
  fixed('content_hash', 'bytea', ({ contentHash }) => contentHash),
  fixed('identity', 'bytea', ({ identity }) => identity),
  fixed('line', 'bytea', ({ line }) => line),
  life('disposition', 'text', ({ disposition }) => disposition),
  life('tier', 'smallint', ({ tier }) => tier),
  fixed('depth_nearest', 'bigint', ({ depthNearest }) => depthNearest),
  fixed('depth_farthest', 'bigint', ({ depthFarthest }) => depthFarthest),
  life('confidence', 'float8', ({ confidence }) => confidence.value),
  life('confidence_at', 'text', ({ confidence }) => confidence.at),
  life('strength', 'float8', ({ strength }) => strength.value),
  life('strength_at', 'text', ({ strength }) => strength.at),
  life('is_protected', 'smallint', ({ isProtected }) => Number(isProtected)),
  life('restated_at', 'text', ({ restatedAt }) => restatedAt),
  life('subtype', 'text', ({ facets }) => facets.subtype),
  life('status', 'text', ({ facets }) => facets.status),
  fixed('name', 'text', ({ facets }) => facets.name),
  fixed('context', 'text', ({ facets }) => facets.context),
  fixed('context_tags', 'text', ({ facets }) => listText(facets.contextTags)),
  life('tags', 'text', ({ facets }) => listText(facets.tags)),
  life('weight', 'float8', ({ weight }) => weight),
  life('accesses', 'bigint', ({ accesses }) => accesses),
  life('accessed_at', 'text', ({ accessedAt }) => accessedAt),
  life('verifications', 'bigint', ({ verifications }) => verifications),
  life('verified_at', 'text', ({ verifiedAt }) => verifiedAt),
  life('reinforcements', 'bigint', ({ reinforcements }) => reinforcements),
  life('marks', 'text', marksText),
  life('review', 'text', ({ review }) => review),
  fixed('erased', 'text', ({ erased }) => (erased === null ? null : JSON.stringify(erased))),
]

export const MEMORY_COLUMNS: readonly string[] = COLUMNS.map((column) => column.name)

export const memoryValues = (memory: MemoryState): readonly SqlValue[] =>
  COLUMNS.map(({ value }) => value(memory))

const listText = (items: readonly string[]): string | null =>
  items.length === 0 ? null : JSON.stringify(items)

/** Rare values share one column, which is empty for most memories. */
function marksText(memory: MemoryState): string | null {
  const { evidence, anchors, flags, notes, moves, claim, distrust, rewordingOf } = memory
  const { parentsAdded, guard } = memory
  const hasNone =
    distrust === null &&
    rewordingOf === null &&
    parentsAdded === 0 &&
    guard === null &&
    evidence.length === 0 &&
    anchors.length === 0 &&
    flags.length === 0 &&
    moves.length === 0 &&
    isEmpty(notes)
  if (hasNone && claim === null) return null
  if (hasNone) return JSON.stringify({ claim })
  return JSON.stringify({
    ...{ evidence, anchors, flags, notes, moves, claim },
    ...(distrust === null ? {} : { distrust }),
    ...(rewordingOf === null ? {} : { rewordingOf }),
    ...(parentsAdded === 0 ? {} : { parentsAdded }),
    ...(guard === null ? {} : { guard }),
  })
}

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false
  return true
}

const OF_LIFE = COLUMNS.filter(({ isOfLife }) => isOfLife)
const OTHERS = COLUMNS.filter(({ isOfLife }) => !isOfLife)

/**
 * Writes the columns that change during life, when all others are unchanged. Setting a column
 * rewrites its indexes even for an equal value, and each hash index would add a page to the commit.
 */
export const LIVE_ON = written((d) => {
  const isAsBefore = OTHERS.map(
    ({ name, type }) => `m.${name} ${d.is} ${type === 'bytea' ? d.unhex('?') : '?'}`,
  )
  return `
  UPDATE memories AS m SET ${OF_LIFE.map(({ name }) => `${name} = ?`).join(', ')}
  WHERE ${isAsBefore.join(' AND ')} AND ${d.parents} ${d.is} ?`
})

/** Values of a row and the parent refs, in the order of the statement above. */
export const liveOnValues = (memory: MemoryState): readonly SqlValue[] => [
  ...[...OF_LIFE, ...OTHERS].map(({ value }) => value(memory)),
  memory.parents.length === 0 ? null : memory.parents.join(' '),
]

/** A memory's state out of `memories m`. */
export const STATE = (d: Dialect): string => `${selected(d, MEMORY_COLUMNS, 'm')}, ${d.parents}`
const STATE_LENGTH = MEMORY_COLUMNS.length + 1

/** The state with the sealed row of its revision, out of `memories m … sealed s`. */
// Salt and bytes are read as one value: a second buffer costs a row more than ten other columns.
export const STORED = (d: Dialect): string => `${STATE(d)}, s.seq AS s_seq, s.ref AS s_ref,
  length(s.salt) AS s_salt, CAST(s.salt || s.bytes AS ${d.bytes}) AS s_bytes`
export const WITH_SEALED = (d: Dialect): string =>
  d.oneOrNone('sealed', 'seq', 'm.revision_seq', 's')

type Marks = Pick<
  MemoryState,
  | 'evidence'
  | 'anchors'
  | 'flags'
  | 'notes'
  | 'moves'
  | 'claim'
  | 'distrust'
  | 'rewordingOf'
  | 'parentsAdded'
  | 'guard'
>
const NO_MARKS: Marks = {
  evidence: [],
  anchors: [],
  flags: [],
  notes: {},
  moves: [],
  claim: null,
  distrust: null,
  rewordingOf: null,
  parentsAdded: 0,
  guard: null,
}

/** Unreadable values show as `?`, for the audit to report. */
function parsed<T>(text: unknown, unreadable: T): T {
  try {
    return JSON.parse(String(text)) as Untrusted<T>
  } catch {
    return unreadable
  }
}

const UNREADABLE = { ...NO_MARKS, evidence: ['?'] } as unknown as Untrusted<Marks>

export const CLAIM_ALONE = '{"claim":' // how the text begins when nothing was said of a claim since

/** Marks added since birth, without the marks that only the fold of a timeline reads. */
export const saidSince = (text: unknown): Marks =>
  typeof text === 'string' && text.startsWith(CLAIM_ALONE) ? NO_MARKS : marksOf(text)

function marksOf(text: unknown): Marks {
  if (text === null) return NO_MARKS
  const marks: Partial<Marks> = parsed<Partial<Marks>>(text, UNREADABLE)
  return { ...NO_MARKS, ...marks }
}

/** For many rows at once: of most claims of a line the same was said, which is read once. */
export function sharedMarks(): typeof marksOf {
  const known = new Map<unknown, Marks>()
  let last: unknown = null
  let marks = NO_MARKS
  return (text) => {
    // A comparison with the previous text is cheaper than a map lookup.
    if (text === last) return marks
    last = text
    marks = known.get(text) ?? marksOf(text)
    known.set(text, marks)
    return marks
  }
}

export const listIn = (text: unknown): readonly string[] =>
  text === null ? [] : parsed(text, ['?'])

/** An unreadable value becomes a mark that no entry can make. */
export const erasedIn = (text: unknown): MemoryState['erased'] =>
  text === null ? null : parsed<MemoryState['erased']>(text, { seq: -1, dated: false })

const facetsIn = (row: SqlRow, at: number) => ({
  subtype: row[at],
  status: row[at + 1],
  name: row[at + 2],
  context: row[at + 3],
  contextTags: listIn(row[at + 4] ?? null),
  tags: listIn(row[at + 5] ?? null),
})

export function stateOf(row: SqlRow, read: typeof marksOf = marksOf): MemoryState {
  const ref = row[1] as Untrusted<Ref>
  const kind = row[2] as Untrusted<string>
  const parents = row[MEMORY_COLUMNS.length] as Untrusted<string | null>
  // Spread, they would cost more than the rest.
  const marks = read(row[40])
  const { evidence, anchors, flags, notes, moves, claim, distrust, rewordingOf } = marks
  return {
    ref,
    kind,
    id: ref.slice(kind.length + 1) as Untrusted<MemoryId>,
    seq: row[0],
    unit: row[3],
    revision: row[4],
    revisionSeq: row[5],
    entryHash: row[6],
    bornAt: row[7],
    label: row[8],
    sourceType: row[9],
    sourceId: row[10],
    door: row[11],
    document: row[12],
    session: row[13],
    captured: row[14] === 1,
    contentHash: row[15],
    identity: row[16],
    line: hashOrNull(row[17]),
    claim,
    disposition: row[18],
    tier: row[19],
    depthNearest: row[20],
    depthFarthest: row[21],
    confidence: { value: row[22], at: row[23] },
    strength: { value: row[24], at: row[25] },
    isProtected: row[26] === 1,
    restatedAt: row[27],
    facets: facetsIn(row, 28),
    weight: row[34],
    accesses: row[35],
    accessedAt: row[36],
    verifications: row[37],
    verifiedAt: row[38],
    reinforcements: row[39],
    evidence,
    anchors,
    flags,
    notes,
    moves,
    review: row[41],
    distrust,
    rewordingOf,
    erased: erasedIn(row[42]),
    parents: parents === null ? [] : parents.split(' '),
    parentsAdded: marks.parentsAdded,
    guard: marks.guard,
  } as unknown as Untrusted<MemoryState>
}

export const NO_NOTES: StoredMemory['notes'] = []

function sealedIn(row: SqlRow): StoredMemory['sealed'] {
  const [seq = null, ref = null, saltLength, joined] = row.slice(STATE_LENGTH)
  if (seq === null) return null
  const bytes = joined as Untrusted<Uint8Array>
  const salt = bytes.subarray(0, Number(saltLength))
  return sealedOf([seq, ref, salt, bytes.subarray(Number(saltLength))])
}

/** A memory without its annotations; `withNotes` adds them. */
export const storedOf = (row: SqlRow): StoredMemory => ({
  state: stateOf(row),
  sealed: sealedIn(row),
  notes: NO_NOTES,
})

/**
 * Repairs captures that an earlier version recorded at tier 2 without a person's word: tier 1 with
 * the recorded tier in a mark, as the fold of their entries gives. No version that ran before this
 * step wrote the fact `vouched`.
 */
export const COUNTED_TIERS = `
UPDATE memories SET tier = 1, marks = CASE
    WHEN erased IS NOT NULL THEN marks
    WHEN marks IS NULL THEN
      '{"evidence":[],"anchors":[],"flags":[],"notes":{},"moves":[],"claim":null,"guard":{"tierAtBirth":2}}'
    WHEN marks LIKE '%"guard":{%' THEN replace(marks, '"guard":{', '"guard":{"tierAtBirth":2,')
    ELSE substr(marks, 1, length(marks) - 1) || ',"guard":{"tierAtBirth":2}}' END
  WHERE door = 'hook' AND label = 'ExternalFirstHand' AND kind IN ('raw', 'note') AND tier = 2
    AND (marks IS NULL OR marks NOT LIKE '%"tierAtBirth":%');
`
