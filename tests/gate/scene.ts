import type { Entry } from '../../src/domain/entry.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { type OpenAs, openForTest, type Played, STACK_ID, take } from './production.ts'
import { captureRef, refAt } from './reference/lineage.ts'
import type { Answer, Result } from './reference/words.ts'
import { type GateDraft, PLAIN, type Saying } from './steps.ts'

export const MODEL = {
  label: 'ModelDerived',
  sourceType: 'inference',
  llmModel: 'model-1',
} as const satisfies Partial<GateDraft>

export const RECALLED = {
  label: 'RecallReEntry',
  sourceType: 'inference',
} as const satisfies Partial<GateDraft>

export const USER = {
  label: 'UserAsserted',
  sourceType: 'direct_experience',
} as const satisfies Partial<GateDraft>

export const says = (phrase: string): { readonly saying: Saying } => ({
  saying: { ...PLAIN.saying, phrase },
})

export const claims = (claim: Partial<Saying['claim']>): { readonly saying: Saying } => ({
  saying: { ...PLAIN.saying, claim: { ...PLAIN.saying.claim, ...claim } },
})

/** A draft told in a few words; the rest is plain. Captures are named by their kinds. */
export type Told = Partial<Omit<GateDraft, 'captures'>> & {
  readonly waitMs?: number
  readonly captures?: readonly ('raw' | 'note')[]
}

const BURST_MAX = 20 // more than the threshold of each policy

/** One stack, written to by hand. */
export class Scene {
  readonly played: Played
  #nextId = 1

  private constructor(played: Played) {
    this.played = played
  }

  static async open(as: OpenAs = {}): Promise<Scene> {
    return new Scene(await openForTest(as))
  }

  get stack() {
    return this.played.stack
  }

  get rows() {
    return this.played.store.rows(STACK_ID)
  }

  get entries(): readonly Entry[] {
    return this.rows.entries.map(({ bytes }) => readEntry(bytes))
  }

  /** Repeats words that no live memory says, until the burst rule sets a row aside for them. */
  async aside(told: Told): Promise<Result> {
    const first = await this.ref(told)
    await this.stack.changes.change(first, { type: 'forget' }, 'test')
    for (let n = 0; n < BURST_MAX; n += 1) {
      const result = await this.tell(told)
      if (result.disposition === 'Quarantined') return result
    }
    throw new Error('a burst is set aside')
  }

  wait(ms: number): void {
    this.played.world.clock.advance({ ms })
  }

  draft({ waitMs: _, captures = [], ...told }: Told): GateDraft {
    const kind = told.kind ?? PLAIN.kind
    const ref = told.ref ?? this.#newRef(kind)
    const phrase = told.saying?.phrase ?? PLAIN.saying.phrase
    return {
      ...PLAIN,
      ...told,
      kind,
      ref,
      captures: captures.map((part, index) => ({
        kind: part,
        phrase,
        ref: captureRef(ref, part, index),
      })),
    }
  }

  #newRef(kind: string): Ref {
    this.#nextId += 1
    return refAt(kind, this.#nextId - 1)
  }

  answer(told: Told): Promise<Answer> {
    return this.answerAll([told])
  }

  answerAll(told: readonly [Told, ...Told[]]): Promise<Answer> {
    const [first, ...rest] = told
    const drafts = [this.draft(first), ...rest.map((one) => this.draft(one))] as const
    return take(this.played, { type: 'write', waitMs: first.waitMs ?? 0, drafts: [...drafts] })
  }

  /** What became of one write, let in or refused; an error is one of the test itself. */
  async tell(told: Told): Promise<Result> {
    const answer = await this.answer(told)
    if (answer.type === 'refused') return answer.result
    const [result] = answer.type === 'written' ? answer.results : []
    if (!result) throw new Error(`expected a result, got ${JSON.stringify(answer)}`)
    return result
  }

  /** The ref of a write that must be let in. */
  async ref(told: Told): Promise<Ref> {
    const { ref, ...result } = await this.tell(told)
    if (!ref) throw new Error(`refused: ${JSON.stringify(result)}`)
    return ref
  }
}
