import type { Caller } from '../../src/domain/doors.ts'
import { assert } from '../../src/domain/errors.ts'
import { parseStackId, type Ref } from '../../src/domain/ids.ts'
import { parseBody } from '../../src/domain/kinds/table.ts'
import { label } from '../../src/domain/labels.ts'
import { buildPolicy, type Policy, type PolicyNumbers } from '../../src/domain/policy.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { Draft, Outcome, WriteResult } from '../../src/domain/write.ts'
import { type Case, openCase } from '../../src/gate/case.ts'
import { Desk, type DeskSetting } from '../../src/gate/desk.ts'
import { decideGroup } from '../../src/gate/gate.ts'
import { completeNeeds, needsOf, type Proposal } from '../../src/gate/needs.ts'
import { stamp } from '../../src/gate/stamp.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { type TestWorld, testSha256, testWorld } from './world.ts'

const STACK = parseStackId('bench')
const TOMBSTONE_KEY = new Uint8Array(32).fill(7)

export const testPolicy = (numbers: Partial<PolicyNumbers> = {}): Policy =>
  buildPolicy((words) => contentHash(testSha256, words), { numbers })

/** The parts of a draft that a rule may look at; everything else is the host's plain word. */
export type BenchDraft = Partial<Pick<Draft, 'kind' | 'id' | 'confidence' | 'derivedFrom'>> &
  Partial<Pick<Draft, 'sourceEpisodes' | 'revises'>> & {
    readonly body?: object
    readonly origin?: Partial<Draft['origin']>
    readonly supplied?: Partial<Draft['supplied']>
    readonly caller?: Partial<Caller>
  }

export const MODEL_ORIGIN = {
  label: label.modelDerived(),
  sourceType: 'inference',
  llmModel: 'model-1',
} as const

const NOTHING_SUPPLIED = { contentHash: null, policyHash: null, trustTier: null, timestamp: null }

/** A gate without a stack around it: drafts go in by hand, and a rule can be asked on its own. */
export class GateBench {
  readonly world: TestWorld = testWorld()
  readonly store = new MemoryStore()
  readonly #setting: DeskSetting

  constructor({ numbers = {}, enforcing = true }: BenchOptions = {}) {
    const genesisPolicy = testPolicy(numbers)
    this.#setting = {
      stackId: STACK,
      sha256: testSha256,
      genesisPolicy,
      genesisPolicyHash: contentHash(testSha256, genesisPolicy),
      enforcement: { wanted: enforcing, seen: true },
      replica: null,
    }
  }

  draft(given: BenchDraft): Draft {
    const { kind = 'raw', origin, supplied, caller, body = { content: 'It was so' } } = given
    return {
      kind,
      id: given.id ?? this.world.ids.next(),
      body: parseBody(kind, body),
      given: Object.keys(body),
      origin: { ...PLAIN_ORIGIN, ...origin },
      confidence: given.confidence ?? 0.8,
      derivedFrom: given.derivedFrom ?? [],
      sourceEpisodes: given.sourceEpisodes ?? [],
      quote: null,
      captures: [],
      supplied: { ...NOTHING_SUPPLIED, ...supplied },
      consequence: null,
      revises: given.revises ?? null,
      caller: { ...HOST, ...caller },
    }
  }

  #proposal(given: BenchDraft): Extract<Proposal, { type: 'write' }> {
    const { clock, random } = this.world
    const arrival = { time: toInstant(clock.now()), bytes: random(32) }
    const tools = { sha256: testSha256, tombstoneKey: () => TOMBSTONE_KEY }
    return { type: 'write', candidates: [stamp({ draft: this.draft(given), arrival }, tools)] }
  }

  async #gather(proposal: Proposal) {
    const first = needsOf([proposal], { tombstones: true, sessions: true })
    const found = await this.store.gather(STACK, first)
    const needs = completeNeeds(first, [proposal], found)
    return { needs, context: await this.store.gather(STACK, needs) }
  }

  /** Decides and commits. */
  async decide(proposal: Proposal): Promise<Outcome> {
    const { needs, context } = await this.#gather(proposal)
    const { outcomes, batch } = decideGroup([proposal], { needs, context }, this.#setting)
    if (batch) await this.store.commit(STACK, batch, context.tip.head)
    const [outcome] = outcomes
    assert(outcome !== undefined, 'one proposal has one outcome')
    return outcome
  }

  write(given: BenchDraft): Promise<Outcome> {
    return this.decide(this.#proposal(given))
  }

  /** Writes something that must be let in. */
  async ref(given: BenchDraft): Promise<Ref> {
    const outcome = await this.write(given)
    const result: WriteResult | undefined =
      outcome.type === 'written' ? outcome.results[0] : undefined
    assert(result?.ref, `it was not let in: ${JSON.stringify(outcome)}`)
    return result.ref
  }

  /** A draft as the rules are shown it, undecided. */
  async open(given: BenchDraft): Promise<Case> {
    const proposal = this.#proposal(given)
    const { needs, context } = await this.#gather(proposal)
    const reached = needs.reaches.map(({ to }, index) => {
      return [to, context.reached[index] === true] as const
    })
    const [candidate] = proposal.candidates
    assert(candidate !== undefined, 'one draft is one candidate')
    return openCase(candidate, new Desk(this.#setting, context, new Map(reached)))
  }

  get rows() {
    return this.store.rows(STACK)
  }
}

export interface BenchOptions {
  readonly numbers?: Partial<PolicyNumbers>
  readonly enforcing?: boolean
}

const PLAIN_ORIGIN: Draft['origin'] = {
  sourceType: 'observation',
  label: label.firstHand(),
  sourceId: 'ann',
  sourceEntity: null,
  ingestionPath: 'lib:test',
  eventTime: null,
  relayed: false,
  document: null,
  llmModel: null,
}

const HOST: Caller = {
  door: 'lib',
  operation: 'test',
  person: false,
  grant: null,
  session: null,
  turn: null,
}
