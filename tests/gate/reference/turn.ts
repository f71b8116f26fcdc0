import type { Door } from '../../../src/domain/doors.ts'
import type { LabelName } from '../../../src/domain/labels.ts'
import type { By, DoubtOf } from '../steps.ts'
import { toldStanding } from './authority.ts'
import { changeMemory, prepare, writeLine } from './bookkeeping.ts'
import { fall, giveBack, type Returned, type Turned, without } from './doubt.ts'
import { recall } from './lineage.ts'
import { doorTier, isExternal, isTrusted } from './tables.ts'
import type { Answer, Book, Line, Moment, Remembered } from './words.ts'

export interface Turning {
  readonly on: boolean
  readonly what: DoubtOf
  readonly by: By
  readonly stackId: string
}

const failed = (code: Extract<Answer, { type: 'error' }>['code']): Answer => ({
  type: 'error',
  code,
  paths: [],
})

const NOTHING = {
  type: 'turned',
  entry: null,
  memories: [],
  flagged: [],
  cleared: [],
  proposed: null,
} as const satisfies Answer

interface Who {
  readonly actor: string
  readonly door: Door
  readonly label: LabelName
}

/** A person speaks as one, the host and its hooks vouch, everybody else is a model. */
export function speaker({ by, stackId }: Pick<Turning, 'by' | 'stackId'>): Who {
  const { door, person } = by
  if (person) return { actor: `${stackId}:user`, door, label: 'UserAsserted' }
  const role = door === 'lib' ? 'host' : 'model'
  const isVouched = door === 'lib' || door === 'hook'
  return {
    actor: `${stackId}:${role}`,
    door,
    label: isVouched ? 'ExternalFirstHand' : 'ModelDerived',
  }
}

/** What is believed is a person's or the host's to say; a model may wish one memory gone. */
export function turn(book: Book, at: Moment, turning: Turning): Answer {
  const { on, what, by } = turning
  const who = speaker(turning)
  const way = { ...by, grant: null }
  if (book.state === 'MAINTENANCE') return failed('maintenance_mode')
  if (doorTier({ ...way, label: who.label }) === null) return failed('scope')
  const isWish = !isExternal(who.label)
  if (isWish ? !on || !('ref' in what) : !isTrusted(way)) return failed('scope')
  return 'ref' in what
    ? turnMemory(book, at, { ...turning, what, who })
    : turnOrigin(book, at, { ...turning, what, who })
}

/** An actor has one proposal at a time about a memory; another actor has one of its own. */
export const hasProposed = ({ lines }: Book, actor: string, { flags }: Remembered): boolean =>
  flags.some(({ code, seq }) => code === 'proposed' && lines[seq]?.actor === actor)

type Named<T> = Omit<Turning, 'what'> & { readonly what: T; readonly who: Who }

function turnMemory(
  book: Book,
  at: Moment,
  { on, what, who, by }: Named<Extract<DoubtOf, { ref: unknown }>>,
): Answer {
  const { ref } = what
  const memory = recall(book, ref)
  if (!memory) return failed('not_found')
  if ((memory.distrust?.own ?? false) === on) return NOTHING
  const basis = 'other'
  if (!isExternal(who.label)) {
    if (hasProposed(book, who.actor, memory)) return NOTHING
    prepare(book, at)
    const facts = { change: 'distrust', basis }
    const tier = toldStanding(book, { ...who, person: by.person, grant: null })
    const line = { ...who, tier, op: 'memory.proposed', ref, rule: 'authority', facts } as const
    const proposed = writeLine(book, at, line)
    raise(book, ref, { code: 'proposed', by: null, seq: proposed })
    return { ...NOTHING, proposed }
  }
  const turned = on ? fall(book, what) : giveBack(book, what, 'own')
  prepare(book, at)
  const isBack = isReturn(turned) ? { back: turned.back.includes(ref) } : {}
  const facts = { why: 'own', basis, ...isBack }
  const op = on ? 'memory.distrusted' : 'memory.trusted'
  const entry = writeLine(book, at, { ...who, op, ref, rule: 'admit', facts })
  tellAll(book, at, turned, { who, unit: entry, reason: 'own' })
  return answer(entry, turned)
}

function turnOrigin(
  book: Book,
  at: Moment,
  { on, what, who }: Named<Extract<DoubtOf, { origin: unknown }>>,
): Answer {
  const { origin, name } = what
  const standing = book.doubts.find((each) => each.origin === origin && each.name === name)
  if ((standing !== undefined) === on) return NOTHING
  const turned = standing ? giveBack(book, what, standing.entry) : fall(book, what)
  prepare(book, at)
  const facts = {
    origin,
    of: name,
    ...(standing ? { lifts: standing.entry } : { basis: 'other' }),
    memories: turned.direct.length + turned.ground.length,
    flagged: turned.flagged.length,
  }
  const { actor, door } = who
  const op = on ? 'origin.distrusted' : 'origin.trusted'
  const entry = writeLine(book, at, { actor, door, op, facts })
  if (standing) book.doubts = book.doubts.filter((each) => each !== standing)
  else book.doubts.push({ origin, name, entry })
  tellAll(book, at, turned, { who, unit: entry, reason: standing?.entry ?? entry })
  return answer(entry, turned)
}

const isReturn = (turned: Turned | Returned): turned is Returned => 'cleared' in turned

interface Telling {
  readonly who: Who
  readonly unit: number
  readonly reason: number | 'own'
}

/** Of each memory what befalls it, then the flags that come down, then those that go up. */
function tellAll(
  book: Book,
  at: Moment,
  turned: Turned | Returned,
  { who, unit, reason }: Telling,
): void {
  const back = isReturn(turned) ? turned.back : null
  const tell = (line: Pick<Line, 'op' | 'ref' | 'facts'>) =>
    writeLine(book, at, { ...who, unit, ...line })
  const op = back === null ? 'memory.distrusted' : 'memory.trusted'
  const isBack = ({ ref }: Remembered) => (back === null ? {} : { back: back.includes(ref) })
  for (const memory of turned.direct) {
    const why = reason === 'own' ? null : { why: 'origin', of: reason }
    if (why) tell({ op, ref: memory.ref, facts: { ...why, ...isBack(memory) } })
    mark(book, memory, { back, reason })
  }
  for (const memory of turned.ground) {
    tell({ op, ref: memory.ref, facts: { why: 'ground', ...isBack(memory) } })
    mark(book, memory, { back, reason: null })
  }
  for (const { ref, of } of isReturn(turned) ? turned.cleared : []) {
    tell({ op: 'memory.cleared', ref, facts: { of } })
    const flags = recall(book, ref)?.flags.filter(({ seq }) => !of.includes(seq)) ?? []
    changeMemory(book, ref, { flags })
    relift(book, ref, (lostBy) => lostBy.filter((seq) => !of.includes(seq)))
  }
  for (const { ref, by } of turned.flagged) {
    const seq = tell({ op: 'memory.flagged', ref, facts: { code: 'source_distrusted', by } })
    raise(book, ref, { code: 'source_distrusted', by, seq })
  }
}

function mark(
  book: Book,
  { ref, disposition, distrust }: Remembered,
  { back, reason }: { readonly back: readonly string[] | null; reason: number | 'own' | null },
): void {
  const before = distrust ?? { was: disposition, origins: [], own: false }
  if (back?.includes(ref)) change(book, ref, { disposition: before.was, distrust: null })
  else if (back !== null && reason !== null)
    change(book, ref, { distrust: without(before, reason) })
  else {
    const origins = typeof reason === 'number' ? [...before.origins, reason] : before.origins
    const own = before.own || reason === 'own'
    change(book, ref, { disposition: 'Distrusted', distrust: { ...before, origins, own } })
  }
}

/** Noise that was kept falls and returns with where it came from, like any memory. */
function change(book: Book, ref: Remembered['ref'], to: Partial<Remembered>): void {
  changeMemory(book, ref, to)
  book.noise = book.noise.map((kept) => (kept.ref === ref ? { ...kept, ...to } : kept))
}

function raise(book: Book, ref: Remembered['ref'], flag: Remembered['flags'][number]): void {
  changeMemory(book, ref, { flags: [...(recall(book, ref)?.flags ?? []), flag] })
  if (recall(book, ref)?.lift?.of === flag.by) relift(book, ref, (lostBy) => [...lostBy, flag.seq])
}

/** A quote lifts while nothing says that the quoted memory is gone. */
function relift(
  book: Book,
  ref: Remembered['ref'],
  lost: (lostBy: readonly number[]) => readonly number[],
): void {
  const lift = recall(book, ref)?.lift ?? null
  if (lift === null) return
  const lostBy = lost(lift.lostBy)
  const tier = lostBy.length === 0 ? lift.to : lift.from
  changeMemory(book, ref, { tier, lift: { ...lift, lostBy } })
}

function answer(entry: number, turned: Turned | Returned): Answer {
  return {
    ...NOTHING,
    entry,
    memories: [...turned.direct, ...turned.ground].map(({ ref }) => ref),
    flagged: [...new Set(turned.flagged.map(({ ref }) => ref))],
    cleared: isReturn(turned) ? turned.cleared.map(({ ref }) => ref) : [],
  }
}
