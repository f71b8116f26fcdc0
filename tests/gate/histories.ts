import fc from 'fast-check'
import type { Ref } from '../../src/domain/ids.ts'
import { WORLD_START } from '../support/world.ts'
import { type EchoPick, echoing } from './echo-picks.ts'
import { echo, type Pen } from './echo-steps.ts'
import * as pick from './picks.ts'
import { STACK_ID } from './production.ts'
import { captureRef, kindIn, refAt } from './reference/lineage.ts'
import { isLive, mayCite, mayRevise } from './reference/tables.ts'
import { Reference } from './reference.ts'
import { labelOf, sensible } from './sensible.ts'
import {
  type DoubtOf,
  type GateDraft,
  type History,
  PLAIN,
  POLICY_NUMBERS,
  type Step,
} from './steps.ts'

type AnyPick = pick.StepPick | EchoPick

export interface HistoryOptions {
  readonly maxSteps?: number
  /** Kinds of step to leave out, where a property is about something else. */
  readonly without?: readonly AnyPick['type'][]
  /** Whether what was served is known again, and people quote, reword and overrule. */
  readonly recognises?: boolean
}

/** Histories of every kind of step; each is worked out against the reference as it goes. */
export function histories({
  maxSteps = 30,
  without = [],
  recognises = false,
}: HistoryOptions = {}) {
  const one = recognises ? fc.oneof(pick.step, echoing) : pick.step
  const steps = fc.array(one, { minLength: 1, maxLength: maxSteps, size: 'max' })
  const { genesis, hasGround } = pick
  return fc.record({ genesis, hasGround, steps }).map(({ steps: all, ...chosen }) =>
    historyOf({
      ...chosen,
      recognises,
      steps: all.filter(({ type }) => !without.includes(type)),
    }),
  )
}

interface Chosen {
  readonly genesis: History['genesis']
  readonly hasGround: boolean
  readonly recognises?: boolean
  readonly steps: readonly AnyPick[]
}

/** What the choices come to. */
export function historyOf({ genesis, hasGround, steps, recognises = false }: Chosen): History {
  const writer = new HistoryWriter({ genesis, recognises })
  if (hasGround) writer.addGround()
  for (const step of steps) writer.add(step)
  return { genesis, recognises, steps: writer.steps }
}

const MISSING = 900_000

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length]

class HistoryWriter {
  readonly steps: Step[] = []
  readonly #reference: Reference
  readonly #drafts: GateDraft[] = []
  #nextId = 1

  constructor(how: Pick<History, 'genesis' | 'recognises'>) {
    this.#reference = new Reference({ stackId: STACK_ID, startMs: WORLD_START, ...how })
  }

  /** Something to stand on: nearly every kind may cite one of these. */
  addGround(): void {
    const made: Ref[] = []
    for (const [kind, phrase] of GROUND) {
      const ref = this.#newRef(kind)
      const parents = made.filter((other) => mayCite(kind, kindIn(other))).slice(0, 1)
      this.#write(0, [{ ...PLAIN, kind, ref, parents, saying: { ...PLAIN.saying, phrase } }])
      made.push(ref)
    }
  }

  add(chosen: AnyPick): void {
    const { waitMs } = chosen
    switch (chosen.type) {
      case 'new':
        this.#write(waitMs, [this.#draft(chosen.draft, chosen.way, [])])
        break
      case 'batch':
        this.#batch(chosen)
        break
      case 'spam':
        this.#spam(chosen)
        break
      case 'again':
        this.#again(chosen)
        break
      case 'siege':
        this.#siege(chosen)
        break
      case 'knot':
        this.#knot(chosen)
        break
      case 'revise':
        this.#revise(chosen)
        break
      case 'state':
        this.#take({ type: 'state', waitMs, to: chosen.to, by: chosen.by })
        break
      case 'policy':
        this.#take({ type: 'policy', waitMs, name: chosen.name, by: chosen.by })
        break
      case 'clock':
        this.#take({ type: 'clock', waitMs, by: chosen.by })
        break
      case 'reject':
        this.#reject(chosen)
        break
      case 'quarrel':
        this.#quarrel(chosen)
        break
      case 'doubt':
        this.#doubt(chosen)
        break
      case 'serve': {
        const { memories } = this.#reference.book
        const missing = { ref: refAt('note', MISSING), tier: 0, text: 'Nothing' } as const
        const { ref, tier, text } = at(memories, chosen.which) ?? missing
        const served = { type: 'serve', waitMs, ref, text, by: chosen.by } as const
        this.#take({ ...served, tier: chosen.isLow ? 0 : tier })
        break
      }
      case 'reword':
      case 'parrot':
      case 'quote':
      case 'overrule':
        echo(this.#pen, chosen)
    }
  }

  /** What steps are written with that only mean something where what was served is known again. */
  get #pen(): Pen {
    return {
      book: () => this.#reference.book,
      take: (step) => this.#take(step),
      write: (waitMs, draft) => this.#write(waitMs, [draft]),
      newRef: (kind) => this.#newRef(kind),
      draftOf: (draft, way) => this.#draft(draft, way, []),
    }
  }

  #take(step: Step): void {
    this.steps.push(step)
    this.#reference.play(step)
  }

  #write(waitMs: number, drafts: readonly [GateDraft, ...GateDraft[]]): void {
    this.#drafts.push(...drafts)
    this.#take({ type: 'write', waitMs, drafts })
  }

  #batch({ waitMs, way, drafts }: Extract<pick.StepPick, { type: 'batch' }>): void {
    const made: GateDraft[] = []
    for (const draft of drafts) made.push(this.#draft(draft, way, made))
    const [first, ...rest] = made
    if (first) this.#write(waitMs, [first, ...rest])
  }

  #again({ waitMs, which, isChanged }: Extract<pick.StepPick, { type: 'again' }>): void {
    const old = at(this.#drafts, which)
    if (!old) return
    const { saying } = old
    this.#write(waitMs, [isChanged ? { ...old, saying: { ...saying, variant: 5 } } : old])
  }

  /** A model says one thing until it is set aside, a person says no, and it tries other ways in. */
  #siege({ waitMs, phrase, actor, isRejected }: Extract<pick.StepPick, { type: 'siege' }>): void {
    const { memories, policy } = this.#reference.book
    const raw = memories.find(({ kind, disposition }) => kind === 'raw' && isLive({ disposition }))
    if (!raw) return
    const saying = { ...PLAIN.saying, phrase }
    const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
    const note: GateDraft = { ...PLAIN, ...model, kind: 'note', actor, saying, parents: [raw.ref] }
    const again = (): void => this.#write(0, [{ ...note, ref: this.#newRef('note') }])
    this.#write(waitMs, [{ ...note, ref: this.#newRef('note') }])
    for (let n = 0; n <= POLICY_NUMBERS[policy].quarantineBurstThreshold; n += 1) again()
    const aside = this.#reference.book.memories.findLast(
      ({ disposition }) => disposition === 'Quarantined',
    )
    if (!aside || !isRejected) return
    this.#take({
      type: 'reject',
      waitMs: 0,
      ref: aside.ref,
      by: { door: 'explorer', person: true },
    })
    again()
    const ref = this.#newRef('belief')
    const captures = (['raw', 'note'] as const).map((kind, index) => ({
      kind,
      ref: captureRef(ref, kind, index),
      phrase,
    }))
    const belief = { ...note, kind: 'belief', ref, captures } as const
    this.#write(0, [{ ...belief, saying: PLAIN.saying, parents: [] }])
  }

  #spam({ waitMs, which, times }: Extract<pick.StepPick, { type: 'spam' }>): void {
    const old = at(this.#drafts.slice(-RECENT), which)
    if (!old || old.revises) return
    for (let n = 0; n < times; n += 1) {
      const ref = this.#newRef(old.kind)
      const captures = old.captures.map((capture, index) => ({
        ...capture,
        ref: captureRef(ref, capture.kind, index),
      }))
      this.#write(n === 0 ? waitMs : 0, [{ ...old, ref, captures }])
    }
  }

  #reject({ waitMs, which, isAimed, by }: Extract<pick.StepPick, { type: 'reject' }>): void {
    const { memories } = this.#reference.book
    const quarantined = memories.filter(({ disposition }) => disposition === 'Quarantined')
    const aim = isAimed ? quarantined : memories
    const ref = at(aim, which)?.ref ?? refAt('note', MISSING)
    if (isAimed && quarantined.length === 0) return
    this.#take({ type: 'reject', waitMs, ref, by })
  }

  /**
   * A memory is doubted, then whoever said it, who goes on talking and has a say on another's trust;
   * then both are believed again, one after the other.
   */
  #quarrel({ waitMs, actor, phrase, isOwnFirst }: pick.QuarrelPick): void {
    const saying = { ...PLAIN.saying, phrase }
    const [other] = ['ann', 'bob'].filter((name) => name !== actor)
    const made = (more: Partial<GateDraft> & Pick<GateDraft, 'kind'>): Ref => {
      const ref = this.#newRef(more.kind)
      this.#write(0, [{ ...PLAIN, actor, saying, ref, ...more }])
      return ref
    }
    const turn = (on: boolean, what: DoubtOf, wait = 0): void =>
      this.#take({ type: 'doubt', waitMs: wait, on, what, by: { door: 'lib', person: false } })
    const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
    const raw = made({ kind: 'raw' })
    const seen = made({ kind: 'raw', actor: 'cleo' })
    const thought = made({ kind: 'note', ...model, actor: 'cleo', parents: [raw] })
    made({ kind: 'claim', ...model, actor: 'cleo', parents: [raw, seen] })
    made({ kind: 'claim', ...model, actor: 'cleo', parents: [thought] })
    const who = { origin: 'actor', name: actor } as const
    turn(true, { ref: raw }, waitMs)
    turn(true, who)
    for (let times = 0; times < 3; times += 1) made({ kind: 'note', parents: [seen] })
    // All that is assessed of the other, by somebody who is not believed: it lowers nothing.
    const assessed = { ...saying, variant: other === 'ann' ? 0 : 1 }
    const [assessment, heard] = [this.#newRef('assessment'), this.#newRef('raw')]
    const draft = { ...PLAIN, actor, saying }
    this.#write(0, [
      { ...draft, kind: 'assessment', ref: assessment, saying: assessed },
      { ...draft, kind: 'raw', ref: heard, actor: other ?? actor },
    ])
    const hook = { origin: 'door', name: 'hook' } as const
    turn(true, hook)
    made({ kind: 'raw', door: 'hook' })
    turn(false, hook)
    const words = isOwnFirst ? [{ ref: raw }, who] : [who, { ref: raw }]
    for (const what of words) turn(false, what, POLICY_NUMBERS.patient.tallyWindowMs + 1)
  }

  #doubt({
    waitMs,
    on,
    isAimed,
    which,
    what,
    by,
  }: Extract<pick.StepPick, { type: 'doubt' }>): void {
    const { memories, doubts } = this.#reference.book
    const fallen = memories.filter(({ distrust }) => distrust?.own)
    const { ref } = at(isAimed && !on ? fallen : memories, which) ?? { ref: refAt('note', MISSING) }
    const standing = on || !isAimed ? undefined : at(doubts, which)
    const origin = standing ? { origin: standing.origin, name: standing.name } : what
    this.#take({ type: 'doubt', waitMs, on, what: origin === 'memory' ? { ref } : origin, by })
  }

  /** Something is made from a claim, and the claim is then said to be made from that. */
  #knot({ waitMs, which, between }: Extract<pick.StepPick, { type: 'knot' }>): void {
    const claims = this.#reference.book.memories.filter(({ kind }) => kind === 'claim')
    const claim = at(claims.filter(isLive), which)
    if (!claim) return
    let last = claim.ref
    for (let n = 0; n <= between; n += 1) {
      const saying = {
        ...PLAIN.saying,
        claim: { ...PLAIN.saying.claim, predicate: `knot ${last}` },
      }
      const child = { ...PLAIN, kind: 'claim', saying, ref: this.#newRef('claim') } as const
      this.#write(n === 0 ? waitMs : 0, [{ ...child, parents: [last] }])
      last = child.ref
    }
    const revises = { expectedVersion: null }
    this.#write(0, [{ ...PLAIN, kind: 'claim', ref: claim.ref, parents: [last], revises }])
  }

  #revise(chosen: Extract<pick.StepPick, { type: 'revise' }>): void {
    const memory = at(this.#reference.book.memories, chosen.which)
    if (!memory) return
    const picked = { ...chosen.draft, kind: memory.kind, captures: 0 as const }
    const draft = this.#draft(picked, chosen.way, [])
    const versions = { right: memory.revision, any: null, stale: memory.revision + 1 }
    const expectedVersion = versions[chosen.version as keyof typeof versions] // its own keys
    this.#write(chosen.waitMs, [{ ...draft, ref: memory.ref, revises: { expectedVersion } }])
  }

  #newRef(kind: string): Ref {
    this.#nextId += 1
    return refAt(kind, this.#nextId - 1)
  }

  #draft(chosen: pick.DraftPick, way: pick.WayPick, batch: readonly GateDraft[]): GateDraft {
    const { kind, isSensible, capturePhrase } = chosen
    const label = labelOf(chosen, way)
    const ref = this.#newRef(kind)
    const sourceType = isSensible ? sensible({ ...chosen, label }) : chosen.sourceType
    const isModel = label === 'ModelDerived'
    const captured = (['raw', 'note'] as const).slice(0, chosen.captures)
    return {
      kind,
      ref,
      saying: chosen.saying,
      ...way,
      label,
      sourceType,
      actor: chosen.actor,
      document: chosen.document,
      confidence: chosen.confidence,
      llmModel: isModel === isSensible ? 'model-1' : null,
      parents: this.#parents(chosen, ref, batch),
      evidence: chosen.evidence.flatMap((index) =>
        chosen.isEvidenceReal
          ? (at(this.#reference.book.memories, index)?.ref ?? [])
          : refAt('episode', MISSING + index),
      ),
      captures: captured.map((part, index) => ({
        kind: part,
        ref: captureRef(ref, part, index),
        phrase: capturePhrase,
      })),
      supplied: chosen.supplied,
      revises: null,
      quote: null,
    }
  }

  #parents(chosen: pick.DraftPick, ref: Ref, batch: readonly GateDraft[]): readonly Ref[] {
    const { how, picks } = chosen.parents
    const { kind } = chosen
    const there = [
      ...this.#reference.book.memories.map((memory) => memory.ref),
      ...batch.map((draft) => draft.ref),
    ]
    const from = (refs: readonly Ref[]): readonly Ref[] => [
      ...new Set(picks.flatMap((index) => at(refs, index) ?? [])),
    ]
    switch (how) {
      case 'fitting':
        return from(there.filter((other) => mayCite(kind, kindIn(other))))
      case 'revised':
        return from(
          there.filter((other) => mayRevise(kind, kindIn(other)) || kindIn(other) === kind),
        )
      case 'any':
        return from(there)
      case 'missing':
        return picks.map((index) => refAt(at(FITTING, index) ?? 'raw', MISSING + index))
      case 'own':
        return [ref]
      case 'none':
        return []
    }
  }
}

const FITTING = ['raw', 'episode', 'note', 'belief']

const RECENT = 5

const GROUND = [
  ['raw', 'Something was said'],
  ['episode', 'Something was done'],
  ['note', 'Something was noted'],
  ['belief', 'Something is believed'],
] as const
