import type { Ref } from '../../src/domain/ids.ts'
import type { LifecycleState } from '../../src/domain/vocabulary.ts'
import { hasAuthority, toldStanding } from './reference/authority.ts'
import {
  changeMemory,
  countBurst,
  countItself,
  enterState,
  firstOf,
  holdBurst,
  prepare,
  prepareAll,
  repeatOf,
  saveMemory,
  writeLine,
} from './reference/bookkeeping.ts'
import { linkOf, noteWritten } from './reference/likeness.ts'
import { allHops, captureType, recall, tierOf } from './reference/lineage.ts'
import { keepNoise, NOISE_MAX, noiseAt, noiseBy } from './reference/noise.ts'
import { quotingOf } from './reference/quoting.ts'
import { asRevision, inputsOf, proposeRevision } from './reference/restatement.ts'
import { judge } from './reference/rules.ts'
import { type Bounded, bounded, movedBy } from './reference/sureness.ts'
import { doorTier, isExternal, isTrusted } from './reference/tables.ts'
import { hasProposed, speaker, turn } from './reference/turn.ts'
import {
  type Answer,
  type Book,
  instant,
  type Moment,
  meaning,
  type Remembered,
  type Result,
  type Verdict,
} from './reference/words.ts'
import type { By, GateDraft, PolicyName, Step } from './steps.ts'

type Decided<T extends Verdict['type']> = Extract<Verdict, { type: T }>
type Accepted = Decided<'present' | 'admit' | 'collapse' | 'propose'>

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const NINE_YEARS_MS = 3_288 * 86_400_000

const NOT_OVERRULED = { type: 'overruled', entry: null, proposed: null } as const satisfies Answer

const NO_HOPS = { near: null, far: null } as const

const failed = (code: Decided<'error'>['code']): Answer => ({ type: 'error', code, paths: [] })

export interface ReferenceOptions {
  readonly stackId: string
  readonly genesis: PolicyName
  readonly startMs: number
  readonly recognises?: boolean
}

/**
 * The whole gate again, slow and obvious, written from the design: lists, no indexes, no groups.
 * It says of every step what must be answered, and which entries must stand in the ledger.
 */
export class Reference {
  readonly #host: string
  readonly #stackId: string
  #clock: number
  #book: Book

  constructor({ stackId, genesis, startMs, recognises = false }: ReferenceOptions) {
    this.#host = `${stackId}:host`
    this.#stackId = stackId
    this.#clock = startMs
    this.#book = {
      state: 'INITIALIZING',
      policy: genesis,
      lines: [],
      memories: [],
      counted: [],
      bursts: [],
      tombstones: [],
      noise: [],
      doubts: [],
      day: dayOf(startMs),
      served: [],
      recognises,
      written: [],
    }
  }

  get book(): Readonly<Book> {
    return this.#book
  }

  play(step: Step): Answer {
    this.#clock += step.waitMs
    this.#book.day = dayOf(this.#clock)
    switch (step.type) {
      case 'write':
        return step.drafts.length === 1 ? this.#one(step.drafts[0]) : this.#batch(step.drafts)
      case 'state':
        return this.#changeState(step.to, step.by)
      case 'policy':
        return this.#changePolicy(step.name, step.by)
      case 'clock':
        return this.#correctClock(step.by)
      case 'reject':
        return this.#reject(step.ref, step.by)
      case 'doubt':
        return turn(this.#book, this.#now(), { ...step, stackId: this.#stackId })
      case 'overrule':
        return this.#overrule(step)
      case 'serve': {
        const { ref, tier, text, by } = step
        const when = { day: this.#book.day, time: this.#clock }
        if (!by.person) this.#book.served.push({ at: by.door, ...when, ref, tier, text })
        return { type: 'done', entry: null }
      }
    }
  }

  /** One reading for each draft; its time never falls behind the ledger. */
  #now(): Moment {
    const last = this.#book.lines.at(-1)?.time ?? Number.NEGATIVE_INFINITY
    return { reading: this.#clock, time: Math.max(this.#clock, last) }
  }

  #one(told: GateDraft): Answer {
    const at = this.#now()
    const draft = bounded(this.#book, asRevision(this.#book, told, at), at)
    const verdict = judge(this.#book, draft, at)
    if (verdict.type === 'error') return verdict
    if (verdict.type !== 'refuse') {
      return { type: 'written', results: [this.#accept(draft, verdict, at)] }
    }
    prepare(this.#book, at)
    const { tier } = this.#tier(draft)
    return { type: 'refused', index: 0, result: this.#refuse(draft, verdict, { at, tier }) }
  }

  /** Tried on a copy: all of it is kept, or nothing but the refusal of the one that failed. */
  #batch(drafts: readonly GateDraft[]): Answer {
    const before = structuredClone(this.#book)
    const results: Result[] = []
    for (const [index, told] of drafts.entries()) {
      const own = asRevision(this.#book, told, this.#now())
      const draft = bounded(this.#book, own, this.#now())
      const verdict = judge(this.#book, draft, this.#now())
      if (verdict.type !== 'error' && verdict.type !== 'refuse') {
        results.push(this.#accept(draft, verdict, this.#now()))
        continue
      }
      this.#book = before
      if (verdict.type === 'error') return verdict
      const { tier } = this.#tier(draft)
      const at = this.#now()
      prepare(this.#book, at)
      const place = { index, drafts: drafts.length }
      const result = this.#refuse(draft, verdict, { at, tier, place })
      return { type: 'refused', index, result }
    }
    return { type: 'written', results }
  }

  #tier(draft: GateDraft) {
    return tierOf(this.#book, draft, quotingOf(this.#book, draft))
  }

  #accept(draft: Bounded, verdict: Accepted, at: Moment): Result {
    if (verdict.type === 'present') return this.#present(verdict.memory)
    prepare(this.#book, at)
    countBurst(this.#book, draft, at)
    if (verdict.type === 'propose') return proposeRevision(this.#book, draft, { ...verdict, at })
    if (verdict.type === 'collapse') return this.#collapse(draft, verdict, at)
    if (this.#book.state === 'INITIALIZING' && draft.sourceType !== 'seed') {
      enterState(this.#book, at, { to: 'ACTIVE' })
    }
    return this.#admit(draft, verdict, at)
  }

  #present({ ref, disposition, tier }: Remembered): Result {
    const entry = this.#book.lines.findLastIndex(
      (line) => line.ref === ref && line.revision !== null,
    )
    const reasons = ['already_saved']
    return { ref, rule: 'shape', disposition, reasons, tier, entry, captures: [], isKept: false }
  }

  #collapse(draft: Bounded, verdict: Decided<'collapse'>, at: Moment): Result {
    const { onto, rule, disposition, reasons, facts } = verdict
    const key = { about: onto.ref, actor: null, door: null, rule, phrase: null }
    const { ref, tier } = onto
    const answer = { ref, rule, disposition, reasons, tier, captures: [], isKept: false }
    const known = repeatOf(this.#book, key, at)
    if (known) return { ...answer, entry: known.entry }
    const { actor, door, label } = draft
    const decision = { rule, disposition, reasons, facts }
    const line = { op: 'memory.collapsed', ref, actor, door, label, ...decision } as const
    const entry = writeLine(this.#book, at, line)
    firstOf(this.#book, key, entry)
    if (rule === 'restate') changeMemory(this.#book, ref, { restatedAt: at.time })
    if (rule === 'burst') {
      changeMemory(this.#book, ref, {
        flags: [...onto.flags, { code: 'repeated', by: null, seq: entry }],
      })
    }
    return { ...answer, entry }
  }

  #refuse(
    draft: GateDraft,
    { rule, reasons, facts }: Decided<'refuse'>,
    { at, tier, place }: { at: Moment; tier: Remembered['tier']; place?: object },
  ): Result {
    const { actor, door, label } = draft
    const disposition = 'Rejected'
    const answer = { ref: null, rule, disposition, reasons, tier: null, captures: [] } as const
    const noise = rule === 'lint' ? noiseBy(this.#book, draft) : []
    const says = meaning(draft.kind, draft.saying)
    const same = noise.find(({ phrase }) => phrase === says)
    const isFull = !same && noise.length >= NOISE_MAX
    const isKept = rule === 'lint' && !isFull
    const key = same ?? { about: null, actor, door, rule, phrase: null }
    const known = isKept && !same ? null : repeatOf(this.#book, key, at)
    if (known) return { ...answer, entry: known.entry, isKept: false }
    const ref = noiseAt(this.#book.lines.length)
    const kept = isKept ? ({ ref, revision: 1, seals: true, tier } as const) : {}
    const full = isFull ? { notKept: true } : {}
    const decision = { rule, disposition, reasons, facts: { ...facts, ...place, ...full } } as const
    const line = { op: 'memory.refused', actor, door, label, ...kept, ...decision } as const
    const entry = writeLine(this.#book, at, line)
    const about = noiseAt(entry) as string as Ref // stands for one
    firstOf(this.#book, isKept ? { about, actor, door, rule, phrase: says } : key, entry)
    if (isKept) keepNoise(this.#book, draft, entry)
    return { ...answer, entry, isKept }
  }

  /** Captures first, each an entry of its own, then the memory; all of one unit. */
  #admit(draft: Bounded, verdict: Decided<'admit'>, at: Moment): Result {
    const { rule, disposition } = verdict
    const { tier, caps, lift } = this.#tier(draft)
    const { quote, fault } = quotingOf(this.#book, draft)
    const hops = allHops(this.#book, draft)
    const unit = this.#book.lines.length
    const { dropped, asked } = draft
    const link = linkOf(this.#book, draft, at.reading)
    const told = [
      ...(link ? ['rewording'] : []),
      ...(dropped ? ['hedge_dropped'] : []),
      ...(fault ? [fault] : []),
    ]
    const reasons = [...verdict.reasons, ...caps, ...told]
    const own = { unit, tier, rule, disposition, reasons, captured: false, quotes: null }
    for (const [index, { ref, kind, phrase }] of draft.captures.entries()) {
      const before = draft.captures[index - 1]
      const capture: GateDraft = {
        ...draft,
        ref,
        kind,
        saying: { ...draft.saying, phrase, variant: 0 },
        sourceType: captureType(draft),
        parents: before ? [before.ref] : [],
        captures: [],
      }
      const isAside = disposition === 'Quarantined' || disposition === 'Distrusted'
      const plan = isAside ? own : { ...own, ...calmly(draft) }
      const facts = disposition === 'Distrusted' ? verdict.facts : {}
      const captured = { captured: true, hops: hops[index] ?? NO_HOPS, facts }
      saveMemory(this.#book, at, capture, { ...plan, ...captured })
    }
    const { near, far } = hops.at(-1) ?? NO_HOPS
    const moved = movedBy(this.#book, draft, at)
    const depth = { nearest: near, farthest: far }
    const facts = {
      ...verdict.facts,
      depth,
      inputs: inputsOf(this.#book, draft),
      ...moved,
      ...(link ? { phrasingOf: link.ref, score: link.score } : {}),
      ...(dropped ? { hedge: { ...dropped, asked } } : {}),
      ...(quote ? { quote } : {}),
      ...(lift ? { lift } : {}),
    }
    const saving = { ...own, hops: { near, far }, facts, quotes: quote?.of ?? null, lift }
    const entry = saveMemory(this.#book, at, draft, saving)
    noteWritten(this.#book, draft, at.reading)
    if (link) countItself(this.#book, draft, at)
    if (rule === 'burst' && !link) holdBurst(this.#book, draft, entry)
    this.#succeed(draft, verdict, { at, unit })
    const captures = draft.captures.map(({ ref }) => ref)
    return { ref: draft.ref, rule, disposition, reasons, tier, entry, captures, isKept: false }
  }

  /** What the same voice said before gives way to it, one entry each. */
  #succeed(
    { ref: by, actor, door, label }: GateDraft,
    { facts }: Decided<'admit'>,
    { at, unit }: { readonly at: Moment; readonly unit: number },
  ): void {
    for (const ref of (facts.succeeds ?? []) as readonly Ref[]) {
      const line = { op: 'claim.superseded', unit, ref, actor, door, label, facts: { by } } as const
      writeLine(this.#book, at, line)
      changeMemory(this.#book, ref, { disposition: 'Superseded' })
    }
  }

  /** Removes a link; a model only proposes that. */
  #overrule({ what, by }: Extract<Step, { type: 'overrule' }>): Answer {
    const book = this.#book
    const who = speaker({ by, stackId: this.#stackId })
    if (book.state === 'MAINTENANCE') return failed('maintenance_mode')
    if (doorTier({ ...by, grant: null, label: who.label }) === null) return failed('scope')
    const memory = recall(book, what)
    if (!memory || memory.rewordingOf === null) return NOT_OVERRULED
    const acting = { ...who, ...by, grant: null }
    const mayUnlink = isExternal(who.label) && hasAuthority(book, acting, memory)
    if (!mayUnlink && hasProposed(book, who.actor, memory)) return NOT_OVERRULED
    const at = this.#now()
    prepare(book, at)
    const told = { ...who, ref: what, tier: toldStanding(book, acting) }
    if (!mayUnlink) {
      const facts = { change: 'overrule' }
      const line = { ...told, op: 'memory.proposed', rule: 'authority', facts } as const
      const proposed = writeLine(book, at, line)
      const flags = [...memory.flags, { code: 'proposed', by: null, seq: proposed }]
      changeMemory(book, what, { flags })
      return { ...NOT_OVERRULED, proposed }
    }
    const facts = { phrasingOf: memory.rewordingOf }
    const entry = writeLine(book, at, { ...told, op: 'echo.overruled', rule: 'admit', facts })
    changeMemory(book, what, { rewordingOf: null })
    return { ...NOT_OVERRULED, entry }
  }

  #changeState(to: LifecycleState, by: By): Answer {
    if (!isTrusted({ ...by, grant: null })) return failed('scope')
    const from = this.#book.state
    if (from === to) return { type: 'done', entry: null }
    const next = { INITIALIZING: 'ACTIVE', ACTIVE: 'MAINTENANCE', MAINTENANCE: 'ACTIVE' }[from]
    if (to !== next) return failed('invalid_input')
    const at = this.#now()
    prepare(this.#book, at)
    const entry = enterState(this.#book, at, { to, actor: this.#host, door: by.door })
    return { type: 'done', entry }
  }

  /** Times follow the clock from here on; what was counted by the old time is told before. */
  #correctClock(by: By): Answer {
    if (!isTrusted({ ...by, grant: null })) return failed('scope')
    const from = this.#book.lines.at(-1)?.time
    const leap = from === undefined ? 0 : this.#clock - from
    if (from === undefined || (leap >= 0 && leap <= NINE_YEARS_MS)) {
      return { type: 'done', entry: null }
    }
    prepareAll(this.#book, { reading: this.#clock, time: from })
    const at = { reading: this.#clock, time: this.#clock }
    const who = { actor: this.#host, door: by.door }
    const facts = { from: instant(from) }
    return {
      type: 'done',
      entry: writeLine(this.#book, at, { op: 'clock.corrected', ...who, facts }),
    }
  }

  #changePolicy(name: PolicyName, by: By): Answer {
    if (!isTrusted({ ...by, grant: null })) return failed('scope')
    const isBorn = this.#book.lines.length > 0
    if (isBorn && name === this.#book.policy) return { type: 'done', entry: null }
    const at = this.#now()
    prepare(this.#book, at)
    const entry = writeLine(this.#book, at, { op: 'policy', actor: this.#host, door: by.door })
    this.#book.policy = name
    return { type: 'done', entry }
  }

  #reject(ref: Ref, by: By): Answer {
    const memory = recall(this.#book, ref)
    if (!memory) return failed('not_found')
    if (!isTrusted({ ...by, grant: null })) return failed('scope')
    if (this.#book.state === 'MAINTENANCE') return failed('maintenance_mode')
    if (memory.disposition !== 'Quarantined') return failed('invalid_input')
    const at = this.#now()
    prepare(this.#book, at)
    const decision = { disposition: 'Rejected', reasons: ['person_said_no'] } as const
    const line = { op: 'quarantine.rejected', ref, actor: this.#host, door: by.door } as const
    const entry = writeLine(this.#book, at, { ...line, ...decision })
    changeMemory(this.#book, ref, { disposition: 'Rejected' })
    this.#book.tombstones.push({ says: memory.says, actor: memory.actor })
    return { type: 'done', entry }
  }
}

/** How a capture is kept when the memory it was made for is: by its label, under the last rule. */
const calmly = ({ label }: GateDraft) =>
  ({
    rule: 'admit',
    disposition: isExternal(label) ? 'CommittedCheap' : 'CommittedInferred',
    reasons: [],
  }) as const
