import { memoryKeyring } from '../../src/compose/keyring.ts'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import type { ChangeResult } from '../../src/domain/change.ts'
import type { Caller } from '../../src/domain/doors.ts'
import type { Entry } from '../../src/domain/entry.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { type Hash, parseStackId, splitRef } from '../../src/domain/ids.ts'
import { parseBody } from '../../src/domain/kinds/table.ts'
import { labelName, labelNamed } from '../../src/domain/labels.ts'
import type { Policy } from '../../src/domain/policy.ts'
import { toInstant } from '../../src/domain/time.ts'
import type { WriteResult } from '../../src/domain/write.ts'
import type { DistrustWhat, Turned } from '../../src/engine/distrust/distrust.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { contentHash, readEntry } from '../../src/ledger/ledger.ts'
import { Stack } from '../../src/stack.ts'
import { gatherPast } from '../../src/stores/memory/gather.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { type TestWorld, testSha256, testWorld } from '../support/world.ts'
import type { Answer, Line, NoiseName, Result } from './reference/words.ts'
import { bodyOf } from './sayings.ts'
import { type By, type GateDraft, POLICY_NUMBERS, type PolicyName, type Step } from './steps.ts'

export const STACK_ID = parseStackId('gate-under-test')

const policyNamed = (name: PolicyName): Policy => {
  const policy = defaultPolicy()
  return { ...policy, numbers: { ...policy.numbers, ...POLICY_NUMBERS[name] } }
}

export const POLICIES = {
  house: policyNamed('house'),
  strict: policyNamed('strict'),
  patient: policyNamed('patient'),
} as const satisfies Record<PolicyName, Policy>

const policyHash = (name: PolicyName): Hash => contentHash(testSha256, POLICIES[name])
const NAME_OF_POLICY = new Map(
  (Object.keys(POLICIES) as PolicyName[]).map((name) => [policyHash(name) as string, name]),
)

export interface Played {
  readonly stack: Stack
  readonly store: MemoryStore
  readonly world: TestWorld
}

export interface OpenAs {
  readonly genesis?: PolicyName
  readonly groupDraftsMax?: number
  readonly enforceProvenance?: boolean
  readonly seed?: number
  /** Whether what was served is written down, and known again. */
  readonly recognises?: boolean
}

/** A stack in a world that repeats itself, put together as the composition root does it. */
export async function openForTest(as: OpenAs = {}): Promise<Played> {
  const store = new MemoryStore()
  const world = testWorld({ seed: as.seed ?? 1 })
  const { stack: standing } = await store.read(STACK_ID, { type: 'standing' })
  const { groupDraftsMax } = as
  const stack = new Stack({
    stackId: STACK_ID,
    store,
    world: { ...world, keyring: memoryKeyring() },
    genesisPolicy: POLICIES[as.genesis ?? 'house'],
    enforceProvenance: as.enforceProvenance ?? true,
    standing,
    gatherPast,
    ...(as.recognises === true ? { receipts: new MemoryReceipts() } : {}),
    ...(groupDraftsMax === undefined ? {} : { groupDraftsMax }),
  })
  return { stack, store, world }
}

export const callerOf = ({ door, person }: By, grant: Caller['grant'] = null): Caller => ({
  door,
  person,
  grant,
  operation: 'test',
  session: null,
  turn: null,
})

export function requestOf(draft: GateDraft, nowMs: number): WriteRequest {
  const { kind, saying, supplied, captures } = draft
  const body = bodyOf(kind, saying)
  const other = { content: 'something else altogether' }
  const given = supplied.content === 'own' ? parseBody(kind, body) : other
  return {
    kind,
    id: splitRef(draft.ref).id,
    body: body as WriteRequest['body'], // bodyOf gives a body of this kind
    provenance: {
      sourceType: draft.sourceType,
      label: labelNamed(draft.label),
      sourceId: draft.actor,
      ingestionPath: `${draft.door}:test`,
      confidence: draft.confidence,
      llmModel: draft.llmModel,
      document: draft.document,
      derivedFrom: [...draft.parents],
      sourceEpisodes: [...draft.evidence],
      contentHash: supplied.content === null ? null : contentHash(testSha256, given),
      policyHash: supplied.policy && policyHash(supplied.policy),
      quote: draft.quote,
      trustTier: supplied.tier,
      timestamp: supplied.aheadMs === null ? null : toInstant(nowMs + supplied.aheadMs),
    },
    captures: captures.map(({ kind: captured, phrase }) => ({
      kind: captured,
      body: { content: phrase },
    })),
    ...(draft.revises ? { revises: draft.revises } : {}),
  }
}

/** Takes a step; the clock moves at once, the answer comes when it was committed. */
export function take(played: Played, step: Step): Promise<Answer> {
  const { world } = played
  world.clock.advance({ ms: step.waitMs })
  return answerTo(start(played, step, world.clock.now()))
}

async function start({ stack, store }: Played, step: Step, nowMs: number): Promise<Answer> {
  switch (step.type) {
    case 'doubt': {
      const { what } = step
      const meant = 'ref' in what ? what.ref : ({ [what.origin]: what.name } as DistrustWhat) // of one origin
      const told = await stack.sources[step.on ? 'distrust' : 'trust'](meant, {
        caller: callerOf(step.by),
      })
      return turned(told, noiseIn(store))
    }
    case 'write':
      return write(stack, step.drafts, nowMs)
    case 'state':
      return done(await stack.control.setState(step.to, callerOf(step.by)))
    case 'policy':
      return done(await stack.control.setPolicy(POLICIES[step.name], callerOf(step.by)))
    case 'clock':
      return done(await stack.health.correctClock(callerOf(step.by)))
    case 'reject':
      return done({ entry: await stack.review.reject(step.ref, callerOf(step.by)) })
    case 'overrule':
      return overruled(await stack.changes.unlink(step.what, { caller: callerOf(step.by) }))
    case 'serve':
      await stack.lookup.noteServed('test', { caller: callerOf(step.by) }, [step])
      return done({ entry: null })
  }
}

const done = ({ entry }: { readonly entry: { readonly seq: number } | null }): Answer => ({
  type: 'done',
  entry: entry?.seq ?? null,
})

const overruled = ({ changed, entry }: ChangeResult): Answer => ({
  type: 'overruled',
  entry: changed && entry ? entry.seq : null,
  proposed: !changed && entry ? entry.seq : null,
})

const turned = (
  { entry, memories, flagged, cleared, proposed }: Turned,
  noise: ReadonlyMap<string, NoiseName>,
): Answer => ({
  type: 'turned',
  entry: entry?.seq ?? null,
  memories: memories.map((ref) => noise.get(ref) ?? ref),
  flagged,
  cleared,
  proposed: proposed?.seq ?? null,
})

/** Noise that was kept has an id of the engine's; the reference calls it after its entry. */
export function noiseIn(store: MemoryStore): ReadonlyMap<string, NoiseName> {
  const entries = store.rows(STACK_ID).entries.map(({ bytes }) => readEntry(bytes))
  const kept = entries.filter(({ op, ref }) => op === 'memory.refused' && ref !== null)
  return new Map(kept.map(({ seq, ref }) => [String(ref), `suggestion@${seq}` as const]))
}

async function write(
  stack: Stack,
  drafts: readonly [GateDraft, ...GateDraft[]],
  nowMs: number,
): Promise<Answer> {
  const [first] = drafts
  // A batch comes through one door; the drafts of a step are made so.
  const caller = callerOf(first, first.grant)
  const requests = drafts.map((draft) => requestOf(draft, nowMs))
  const written = await stack.writeAll(requests, caller)
  return written.refused
    ? { type: 'refused', index: written.index, result: resultOf(written.result) }
    : { type: 'written', results: written.results.map(resultOf) }
}

const resultOf = (result: WriteResult): Result => ({
  ref: result.ref,
  rule: result.rule,
  disposition: result.disposition,
  reasons: [...result.reasons],
  tier: result.tier,
  entry: result.entry.seq,
  captures: result.captures,
  isKept: result.suggestion !== null,
})

async function answerTo(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof MunimentError) || error.code === 'invariant') throw error
    const paths = error.issues.map(({ path }) => path).sort()
    return { type: 'error', code: error.code, paths }
  }
}

/** The ledger as anyone may read it: without hashes, pseudonyms undone by the keys in the store. */
export function linesOf({ store }: Pick<Played, 'store'>, names: Pseudonyms): readonly Line[] {
  const noise = noiseIn(store)
  return store.rows(STACK_ID).entries.map(({ bytes }) => lineOf(readEntry(bytes), names, noise))
}

export type Pseudonyms = (pseudonym: string) => string

const SECRETS = ['hash', 'policy', 'uid', 'replica', 'format', 'tombstone']

function lineOf(entry: Entry, names: Pseudonyms, noise: ReadonlyMap<string, NoiseName>): Line {
  const { decision, label } = entry
  const facts = Object.entries(decision.facts)
    .filter(([name]) => !SECRETS.includes(name))
    .map(([name, fact]) => [name, isPseudonym(entry, name) ? named(String(fact), names) : fact])
  return {
    op: entry.op,
    time: Date.parse(entry.time),
    unit: entry.unit,
    ref: noise.get(String(entry.ref)) ?? entry.ref,
    revision: entry.revision,
    actor: entry.actor && names(entry.actor),
    door: entry.door,
    label: label && labelName(label),
    tier: entry.tier,
    parents: entry.parents.map(({ ref, seq }) => ({ ref, seq: seq ?? -1 })),
    seals: entry.commitment !== null,
    policy: entry.policy && (NAME_OF_POLICY.get(entry.policy) ?? null),
    rule: decision.rule,
    disposition: decision.disposition,
    reasons: decision.reasons,
    facts: Object.fromEntries(facts),
  }
}

/** Which actor or session an entry is about stands in it as a pseudonym. */
const isPseudonym = ({ op, decision: { facts } }: Entry, name: string): boolean =>
  op.startsWith('origin.') && name === 'of' && facts.origin !== 'door'

const named = (pseudonym: string, names: Pseudonyms): string =>
  names(pseudonym).replace(/^session:/u, '')
