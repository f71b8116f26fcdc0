import { inputsIn } from '../../../domain/decision-inputs.ts'
import type { Entry, Facts, SealedRow, StoredEntry } from '../../../domain/entry.ts'
import { assert, MunimentError } from '../../../domain/errors.ts'
import { type Hash, isHash, parseRef, type Ref, splitRef, ZERO_HASH } from '../../../domain/ids.ts'
import { contentText } from '../../../domain/kinds/table.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { Burst } from '../../../domain/state.ts'
import type { Instant } from '../../../domain/time.ts'
import type { ReplayCode } from '../../../domain/vocabulary.ts'
import type { Draft } from '../../../domain/write.ts'
import type { DeskSetting } from '../../../gate/desk.ts'
import { decideGroup } from '../../../gate/gate.ts'
import { completeNeeds, needsOf } from '../../../gate/needs.ts'
import { type Candidate, stamp } from '../../../gate/stamp.ts'
import { readEntry } from '../../../ledger/ledger.ts'
import { type Sha256, utf8 } from '../../../ledger/sha256.ts'
import type { GatherPast, PastRows } from '../../../ports/store.ts'
import type { Reading } from '../../history/why.ts'
import { openSealed } from '../../read/memory-view.ts'
import type { Progress } from '../progress.ts'
import { walkUntil } from '../walk.ts'
import { capturesIn, recordedDraft, recordedLikes, unrecordedIn } from './recorded-draft.ts'

/** The entries of one draft: captures, the memory, and consequences. */
export interface DraftUnit {
  readonly entries: readonly StoredEntry[]
  /** The entry of the draft's memory. */
  readonly main: Entry
}

/** All entries of the unit that contains an entry. */
export async function unitAround(
  { store, stackId }: Reading,
  seq: number,
): Promise<readonly StoredEntry[]> {
  const [row] = await store.read(stackId, { type: 'entries', from: seq, limit: 1 })
  if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
  const { unit } = readEntry(row.bytes)
  const entries: StoredEntry[] = []
  for (;;) {
    const from = unit + entries.length
    const limit = LIMITS.pageItemsMax
    const rows = await store.read(stackId, { type: 'entries', from, limit })
    for (const { bytes, hash } of rows) {
      const entry = readEntry(bytes)
      if (entry.unit !== unit) return entries
      entries.push({ entry, bytes, hash })
    }
    if (rows.length < limit) return entries
  }
}

/** Null for units without a draft: a change, a refusal, a repeat, or an entry of the stack. */
export function draftUnitOf(entries: readonly StoredEntry[]): DraftUnit | null {
  const main = entries.find(({ entry }) => isTakenIn(entry))?.entry
  return main === undefined || main.decision.facts.overruled !== undefined
    ? null
    : { entries, main }
}

/** Only the draft's memory records a depth; captures do not. */
const isTakenIn = ({ op, decision }: Entry): boolean =>
  (op === 'memory.saved' || op === 'memory.revised') && decision.facts.depth !== undefined

/** The sealed content of the unit, by entry; null where part was erased. */
export async function sealedOf(
  { store, stackId }: Reading,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<number, SealedRow> | null> {
  const from = entries[0]?.entry.seq ?? 0
  const rows = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from,
    to: from + entries.length - 1,
  })
  const sealed = new Map(rows.map((row) => [row.seq, row]))
  const gone = entries.filter(({ entry }) => entry.commitment !== null && !sealed.has(entry.seq))
  if (gone.length === 0) return sealed
  const erasures = await store.read(stackId, { type: 'table', name: 'erasures' })
  const erased = new Set(erasures.map(({ seq }) => seq))
  const lost = gone.find(({ entry }) => !erased.has(entry.seq))
  if (!lost) return null
  throw new MunimentError('data_loss', `What entry ${lost.entry.seq} sealed is gone.`, {
    hint: 'No erasure says so. Run audit.',
  })
}

export interface Replayed {
  readonly seq: number
  /** The first entry of the unit. */
  readonly unit: number
  /** The memory of the draft; null where the unit holds no draft. */
  readonly ref: Ref | null
  readonly policyHash: Hash | null
  readonly code: ReplayCode
  readonly detail: string
  readonly recorded: readonly string[]
  /** The entries that the gate derives again; empty where replay was impossible. */
  readonly derived: readonly string[]
}

export interface ReplayTools {
  readonly sha256: Sha256
  readonly tombstoneKey: () => Uint8Array | null
  readonly gatherPast: GatherPast
}

const decoder = new TextDecoder()

/**
 * Repeats the decision of an entry: the sealed draft, the earlier ledger and the policy in force
 * then. Facts from outside the gate, salts and keys are taken from the record.
 */
export async function replay(reading: Reading, seq: number, tools: ReplayTools): Promise<Replayed> {
  const entries = await unitAround(reading, seq)
  const unit = draftUnitOf(entries)
  if (unit === null) return answerOf(seq, entries, NO_DRAFT)
  const sealed = await sealedOf(reading, entries)
  if (sealed === null) return answerOf(seq, entries, { ...GONE, unit })
  const unrecorded = unrecordedIn(unit)
  if (unrecorded !== null) {
    return answerOf(seq, entries, { code: 'input.unrecorded', detail: unrecorded, unit })
  }
  const past = await walkUntil(reading, unit.main.unit - 1, tools.sha256)
  const [problem] = past.problems
  if (problem) {
    throw new MunimentError('store_corrupt', 'The ledger before that entry does not hold.', {
      hint: 'Run audit: it names the first bad entry.',
      facts: { seq: problem.seq, code: problem.code },
    })
  }
  const quote = await quotedIn(reading, past, unit)
  if (quote === undefined) return answerOf(seq, entries, { ...GONE, unit })
  const draft = recordedDraft(unit, { sealed, quote })
  const decided = await decidedAgain({ reading, past, unit, draft, sealed, tools })
  return answerOf(seq, entries, { ...decided, unit })
}

type Came = Pick<Replayed, 'code' | 'detail'> & {
  readonly unit?: DraftUnit
  readonly derived?: readonly Uint8Array[]
}

const NO_DRAFT: Came = {
  code: 'input.unrecorded',
  detail: 'it took no draft in; the audit works out again what changes come to',
}

const GONE: Came = { code: 'content.erased', detail: 'what it was decided by was erased' }

function answerOf(
  seq: number,
  entries: readonly StoredEntry[],
  { code, detail, unit, derived = [] }: Came,
): Replayed {
  const [first] = entries
  assert(first !== undefined, 'an entry belongs to what was decided with it')
  const shown = unit ? entries : entries.filter(({ entry }) => entry.seq === seq)
  return {
    seq,
    unit: first.entry.unit,
    ref: unit?.main.ref ?? null,
    policyHash: first.entry.policy,
    code,
    detail,
    recorded: shown.map(({ bytes }) => decoder.decode(bytes)),
    derived: derived.map((bytes) => decoder.decode(bytes)),
  }
}

interface Again {
  readonly reading: Reading
  readonly past: Progress
  readonly unit: DraftUnit
  readonly draft: Draft
  readonly sealed: ReadonlyMap<number, SealedRow>
  readonly tools: ReplayTools
}

/** Decides the draft again from the recorded inputs, and compares the bytes. */
async function decidedAgain(again: Again): Promise<Came> {
  const { past, unit, tools } = again
  const candidate = candidateOf(again)
  const known = {
    tombstones: past.stack.tombstones > 0,
    sessions: past.stack.distrusted.some(({ origin }) => origin === 'session'),
  }
  const asked = [{ type: 'write', candidates: [candidate] }] as const
  const memories = [...past.memories.values()]
  const needs = completeNeeds(needsOf(asked, known), asked, { memories })
  const rows = await pastRows(again, candidate, needs.words)
  const gathered = { needs, context: await tools.gatherPast(rows, needs) }
  const { batch } = decideGroup(asked, gathered, settingOf(again))
  const derived = batch?.entries.map(({ bytes }) => bytes) ?? []
  if (isSame(derived, unit)) {
    const lacksKey = known.tombstones && tools.tombstoneKey() === null
    return { code: 'decision.same', detail: lacksKey ? SAME_WITHOUT_KEY : SAME, derived }
  }
  if (past.hollow.size > 0) {
    return { ...GONE, detail: 'words that stood beside it were erased since' }
  }
  const detail = 'the rules of then do not give what is recorded'
  return { code: 'decision.differs', detail, derived }
}

const SAME = 'every entry of it, byte for byte'
const SAME_WITHOUT_KEY = `${SAME}; that its words were not kept out is taken from the record, the key is not here`

/** Stamps the words again; salts and keys come from the ledger. */
function candidateOf({ unit, draft, sealed, tools, past }: Again): Candidate {
  const arrival = { time: unit.main.time, bytes: new Uint8Array(CHANCE_BYTES) }
  const candidate = stamp({ draft, arrival }, tools)
  const drawn = [...capturesIn(unit), unit.main].map(({ seq }) => sealed.get(seq)?.salt)
  const { key } = past.keys.get(draft.origin.sourceId) ?? {}
  const { chance, main } = candidate
  return {
    ...candidate,
    likes: recordedLikes(unit.main),
    // Without the tombstone key the check is skipped: the admission shows that none matched.
    marks: () => (tools.tombstoneKey() === null ? [ZERO_HASH] : candidate.marks()),
    // Any name works for the repeat counter: the entry records the number of repeats.
    repeatMark: () => main.keys.identity,
    repeatMarkOf: () => main.keys.identity,
    chance: {
      ...chance,
      salt: (index) => drawn[index] ?? chance.salt(index),
      actorKey: () => key ?? chance.actorKey(),
    },
  }
}

const CHANCE_BYTES = 32
function settingOf({ reading, past, unit, tools }: Again): DeskSetting {
  const { policyHash, enforcing, replica } = past.stack
  const policy = policyHash === null ? undefined : past.policies.get(policyHash)
  assert(policyHash !== null && policy !== undefined, 'a draft is decided under a policy')
  return {
    stackId: reading.stackId,
    sha256: tools.sha256,
    genesisPolicy: policy,
    genesisPolicyHash: policyHash,
    enforcement: { wanted: enforcing, seen: enforcing },
    replica,
    hasOracle: inputsIn(unit.main.decision.facts)?.oracle === true,
  }
}

const isSame = (derived: readonly Uint8Array[], { entries }: DraftUnit): boolean =>
  derived.length === entries.length &&
  derived.every((bytes, index) => isEqual(bytes, entries[index]?.bytes))

const isEqual = (a: Uint8Array, b: Uint8Array | undefined): boolean =>
  a.length === b?.length && a.every((byte, index) => byte === b[index])

/** The state before the unit, with the burst counters of its entry. */
async function pastRows(
  { reading, past, unit }: Again,
  candidate: Candidate,
  words: readonly Ref[],
): Promise<PastRows> {
  const { last, stack, tree, memories, policies } = past
  assert(last !== null, 'a stack is born before it takes anything in')
  const sealed: SealedRow[] = []
  for (const ref of words) sealed.push(...(await currentOf(reading, past, ref)))
  const marks = [...past.tombstones].flatMap(([mark, seqs]) =>
    isHash(mark) ? [{ mark, seq: seqs.at(-1) ?? 0 }] : [],
  )
  return {
    tip: { head: { seq: last.entry.seq, hash: last.hash, rev: 1 }, time: last.entry.time, tree },
    stack,
    policies,
    memories,
    sealed,
    actorKeys: [...past.keys.values()],
    bursts: burstsIn(unit.main, candidate),
    tombstones: marks,
  }
}

async function currentOf(
  { store, stackId }: Reading,
  { memories }: Progress,
  ref: Ref,
): Promise<readonly SealedRow[]> {
  const seq = memories.get(ref)?.revisionSeq
  return seq === undefined
    ? []
    : store.read(stackId, { type: 'table', name: 'sealed', from: seq, to: seq })
}

/** Cuts the quoted words from their source; undefined where the source was erased. */
async function quotedIn(
  reading: Reading,
  past: Progress,
  { main }: DraftUnit,
): Promise<string | null | undefined> {
  const { quote } = main.decision.facts
  if (quote === undefined) return null
  const { of, start, end } = quote as Facts
  const ref = parseRef(String(of))
  const [row] = await currentOf(reading, past, ref)
  if (!row) return undefined
  const text = contentText(splitRef(ref).kind, openSealed(row).body)
  return decoder.decode(utf8(text).subarray(Number(start), Number(end)))
}

/** The counter before this entry, as the burst rule saw it; empty where no burst was found. */
function burstsIn({ decision: { rule, facts }, time }: Entry, candidate: Candidate): Burst[] {
  const identity = candidate.repeatMark()
  const actor = candidate.draft.origin.sourceId
  if (rule !== 'burst') {
    return identity === null ? [] : [{ actor, identity, times: [], quarantined: null }]
  }
  assert(identity !== null, 'repeats are counted under a name')
  const first = facts.first as Instant // written by the gate
  const before = (facts.last as Instant) > time ? (facts.last as Instant) : first // written by the gate
  const times = [first, ...Array<Instant>(Math.max(0, Number(facts.count) - 2)).fill(before)]
  return [{ actor, identity, times, quarantined: null }]
}
