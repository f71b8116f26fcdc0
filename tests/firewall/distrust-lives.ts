import fc from 'fast-check'
import type { Caller } from '../../src/domain/doors.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import type { DistrustedOrigin } from '../../src/engine/distrust/distrust.ts'
import { label, MunimentError, type Stack } from '../../src/index.ts'
import { at, saying } from '../stack/support.ts'

export const ACTORS = ['ann', 'bob', 'eve'] as const
export const SESSIONS = ['talk-1', 'talk-2'] as const
export const PREDICATES = ['city', 'team'] as const
const VALUES = ['Berlin', 'Paris', 'Rome'] as const
const DOORS = ['lib', 'hook', 'mcp'] as const

const who = {
  actor: fc.constantFrom(...ACTORS),
  door: fc.constantFrom(...DOORS),
  session: fc.constantFrom(null, ...SESSIONS),
  isModel: fc.boolean(),
}

/** What is believed no longer, or again: an origin, or one of the memories so far. */
export const doubts = fc.oneof(
  fc.record({ actor: fc.constantFrom(...ACTORS) }),
  fc.record({ door: fc.constantFrom(...DOORS) }),
  fc.record({ session: fc.constantFrom(...SESSIONS) }),
  fc.record({ of: fc.nat(30) }),
)
export type Doubt = typeof doubts extends fc.Arbitrary<infer T> ? T : never

export const acts = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('raw', 'note', 'belief', 'belief'),
      of: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
      ...who,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('claim' as const),
      predicate: fc.constantFrom(...PREDICATES),
      value: fc.constantFrom(...VALUES),
      ...who,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('forget', 'verify', 'retract', 'affirm', 'weaken'),
      of: fc.nat(30),
      by: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('erase' as const), of: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('distrust' as const, 'trust' as const),
      what: doubts,
    }),
  },
)
export type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never

/** A life that is lived one act after the other; `refs` are the memories that came of it. */
export class Life {
  readonly stack: Stack
  readonly refs: string[] = []
  #said = 0

  constructor(stack: Stack) {
    this.stack = stack
  }

  at(index: number): string | undefined {
    return this.refs[index % this.refs.length]
  }

  /** As the stack takes it; undefined where there is no memory yet. */
  what(doubt: Doubt) {
    return 'of' in doubt ? this.at(doubt.of) : doubt
  }

  async live(acts: readonly Act[]): Promise<void> {
    for (const act of acts) await this.do(act)
  }

  async do(act: Act): Promise<void> {
    switch (act.act) {
      case 'claim':
        return this.#claim(act)
      case 'distrust':
      case 'trust': {
        const what = this.what(act.what)
        if (what === undefined || (await this.#isGone(what))) return
        await this.stack.sources[act.act](what)
        return
      }
      case 'raw':
      case 'note':
      case 'belief':
        return this.#write(act as Extract<Act, { of: number[] }>)
      default:
        return this.#change(act as Extract<Act, { of: number }>)
    }
  }

  async #isGone(what: unknown): Promise<boolean> {
    if (typeof what !== 'string') return false
    const [kind = '', id = ''] = what.split(':')
    return (await this.stack.getMemory(kind as 'raw', id))?.erased != null
  }

  async #claim(act: Extract<Act, { act: 'claim' }>): Promise<void> {
    const isModel = act.isModel || act.door === 'mcp'
    const { claimRef } = await this.stack.claims.ingest(
      {
        subject: 'user',
        predicate: act.predicate,
        value: act.value,
        provenance: isModel ? label.modelDerived() : label.userAsserted(),
      },
      { actor: act.actor, caller: callerOf(act) },
    )
    if (claimRef !== null) this.#keep(claimRef)
  }

  #keep(ref: string): void {
    if (!this.refs.includes(ref)) this.refs.push(ref)
  }

  async #write(act: Extract<Act, { of: number[] }>): Promise<void> {
    const isModel = act.isModel || act.door === 'mcp'
    const from = { raw: [], note: ['raw'], belief: ['note', 'claim', 'episode'] }[act.act as 'raw']
    const derivedFrom = [...new Set(act.of.flatMap((index) => this.at(index) ?? []))].filter(
      (ref) => (from as readonly string[]).includes(ref.split(':')[0] ?? ''),
    )
    this.#said += 1
    const words = `Thing number ${this.#said} was looked at closely`
    const body = act.act === 'belief' ? { statement: words } : { content: words }
    const { ref } = await this.stack.write(
      {
        kind: act.act as 'raw',
        body: body as { content: string },
        provenance: saying(isModel ? 'ModelDerived' : 'ExternalFirstHand', {
          sourceId: act.actor,
          derivedFrom: derivedFrom as never[],
        }),
      },
      callerOf(act),
    )
    if (ref !== null) this.#keep(ref)
  }

  async #change(act: Extract<Act, { of: number }>): Promise<void> {
    const ref = this.at(act.of)
    if (ref === undefined) return
    const { stack } = this
    switch (act.act) {
      case 'erase':
        await stack.erasure.erase(ref)
        return
      case 'verify': {
        const by = this.at('by' in act ? act.by : 0)
        if (by !== undefined)
          await this.#unlessDoubted(stack.changes.verify(ref, { evidence: [by] }))
        return
      }
      case 'weaken':
        await stack.changes.weaken(ref, 0.9)
        return
      case 'forget':
        await stack.changes.change(ref, { type: 'forget' }, 'test')
        return
      case 'retract':
        if (ref.startsWith('claim:'))
          await stack.claims.retract(ref, { label: label.userAsserted() })
        return
      case 'affirm':
        if (ref.startsWith('claim:'))
          await this.#unlessDoubted(
            stack.claims.adjudicate(ref, { verdict: 'affirm', label: label.userAsserted() }),
          )
        return
      default:
        return
    }
  }

  /** Who is not believed itself lifts nothing; whoever is believed is refused nothing for that. */
  async #unlessDoubted(change: Promise<unknown>): Promise<void> {
    const [origins, error] = await Promise.all([
      this.stack.sources.distrusted(),
      change.then(
        () => null,
        (cause: unknown) => cause,
      ),
    ])
    if (error === null) return
    const isRefused = error instanceof MunimentError && error.code === 'scope'
    if (!isRefused || !origins.some(isHost)) throw error
  }
}

/** The host itself changes memories: through its door, in no session, as nobody of `ACTORS`. */
const isHost = ({ origin, name }: DistrustedOrigin): boolean => origin === 'door' && name === 'lib'

interface By {
  readonly door: (typeof DOORS)[number]
  readonly session: string | null
}

const callerOf = ({ door, session }: By): Caller => at(door, { session })

/** Everything that a reader can get, as it is now. */
export async function everythingOf(stack: Stack, states: Iterable<MemoryState>) {
  const answers = await Promise.all(
    PREDICATES.map((predicate) => stack.claims.ask({ subject: 'user', predicate })),
  )
  const believed = [...states].filter(({ disposition }) => disposition !== 'Distrusted')
  return {
    answers,
    states: [...states],
    believed: believed.map(({ ref }) => ref),
    loaded: await stack.load({ tokenBudget: 50_000 }),
    found: await stack.search('thing looked at closely', { limit: 50 }),
    beliefs: await stack.getBeliefs({ limit: 100 }),
    review: (await stack.review.list()).map(({ ref, kind, reasons }) => ({ ref, kind, reasons })),
  }
}
