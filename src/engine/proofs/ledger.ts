import { MunimentError, ScopeError } from '../../domain/errors.ts'
import { type Hash, isHash, KINDS, parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import { contentHash, readEntry } from '../../ledger/ledger.ts'
import { parseCheckpoint, parseNote } from '../../ledger/signed-note.ts'
import type { Witnessed } from '../../ports/store.ts'
import { type ProvDocument, type ProvMemory, provDocument } from '../../recall/prov.ts'
import type { RebuildOptions, Rebuilt } from '../audit/audit.ts'
import { type AuditOptions, type AuditProblem, type AuditReport, isChain } from '../audit/codes.ts'
import type { Replayed } from '../audit/replay/replay.ts'
import type { EngineCore } from '../core.ts'
import type { Engine } from '../engine.ts'
import { beliefHistory } from '../history/histories.ts'
import { trace } from '../history/why.ts'
import type { StackParts } from '../parts.ts'
import { findAll } from '../read/list.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import type { ReadBy } from '../read/served.ts'
import { tierMinOf } from '../read/use-gate.ts'
import { given, wrong } from '../write/arguments.ts'
import {
  type EntriesOptions,
  entriesOf,
  headOf,
  type LedgerHead,
  type LedgerPage,
} from './ledger-page.ts'
import {
  type ProvedExtension,
  type ProvedReceipt,
  type ProveOptions,
  Proving,
  type SignedCheckpoint,
} from './prove.ts'
import { isReplaced, NEVER_UNASKED, UnaskedSigning } from './signed-heads.ts'

/** Provenance of one memory or of all memories as W3C PROV-JSON. */
async function provOf(engine: Engine, ref: Ref | null): Promise<ProvDocument> {
  const memories = ref === null ? await everything(engine) : await lineageOf(engine, ref)
  return provDocument(await Promise.all(memories.map((memory) => asProv(engine, memory))))
}

const lineageOf = async (engine: Engine, ref: Ref): Promise<readonly Memory[]> =>
  (await trace(engine, ref)).map(({ memory }) => memory)

async function everything(engine: Engine): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (const kind of KINDS) {
    const found = await findAll(engine, kind, { includeForgotten: true, includeSetAside: true })
    for (const memory of found) all.push(memory) // no spread: the number of arguments of a call is limited
  }
  return all.sort((a, b) => a.entry.seq - b.entry.seq)
}

async function asProv(engine: Engine, memory: Memory): Promise<ProvMemory> {
  const { provenance, ref, kind } = memory
  return {
    ref,
    kind,
    version: memory.version,
    entry: memory.entry.seq,
    time: provenance.timestamp,
    eventTime: provenance.eventTime,
    sourceType: provenance.sourceType,
    label: labelName(provenance.label),
    tier: memory.tier,
    door: provenance.ingestionPath.split(':')[0] ?? '',
    sourceId: provenance.sourceId,
    llmModel: provenance.llmModel,
    policyHash: provenance.policyHash,
    contentHash: provenance.contentHash,
    derivedFrom: sourcesIn(provenance),
    replaces: await replacedBy(engine, memory),
  }
}

/** Only a belief can replace another, and the new belief cites the old. */
async function replacedBy(engine: Engine, { ref, kind, provenance }: Memory): Promise<Ref | null> {
  const citesBelief = sourcesIn(provenance).some((parent) => splitRef(parent).kind === 'belief')
  if (kind !== 'belief' || !citesBelief) return null
  const versions = await beliefHistory(engine, ref)
  return versions.find(({ memory }) => memory.ref === ref)?.replaces ?? null
}

export interface NamedPolicy {
  readonly policy: Policy
  readonly policyHash: Hash
}

/** Reads the policy in force after an entry, or the policy of a hash, and checks the hash. */
async function policyAt(engine: Engine, at: number | string): Promise<NamedPolicy> {
  const policyHash = typeof at === 'number' ? await hashAfter(engine, at) : at
  if (!isHash(policyHash)) throw wrong('at', 'the number of an entry, or the hash of a policy')
  const policy = await engine.read({ type: 'policy', hash: policyHash })
  if (!policy) {
    throw new MunimentError('not_found', `No policy of this stack has the hash ${policyHash}.`)
  }
  if (contentHash(engine.sha256, policy) !== policyHash) {
    throw new MunimentError(
      'store_corrupt',
      'The policy does not have the hash it is kept under.',
      {
        hint: 'Run audit: it names the first bad entry.',
      },
    )
  }
  return { policy, policyHash }
}

async function hashAfter({ read }: Engine, seq: number): Promise<unknown> {
  if (!Number.isSafeInteger(seq) || seq < 0) throw wrong('at', 'the number of an entry')
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
  const { op, policy, decision } = readEntry(row.bytes)
  const hash = op === 'policy' ? decision.facts.hash : policy
  if (hash !== null) return hash
  throw new MunimentError('not_found', `Before entry ${seq + 1} there was no policy.`)
}

/** The hash-chained record of every decision: audits, signed heads, receipts, pages of entries. */
export class Ledger {
  readonly #core: EngineCore
  readonly #proving: Proving | null
  readonly #unasked: UnaskedSigning | null
  readonly #gatherPast: StackParts['gatherPast']

  constructor(core: EngineCore, parts: StackParts) {
    this.#core = core
    const { signer, shelf } = parts
    this.#gatherPast = parts.gatherPast
    const proving = signer && shelf ? new Proving(core, { signer, shelf }) : null
    this.#proving = proving
    this.#unasked =
      proving &&
      new UnaskedSigning(parts.signing ?? NEVER_UNASKED, {
        sign: async () => (await proving.checkpoint()).size,
        lastSize: () => proving.lastSize(),
      })
    core.onGrown.push((size) => this.#unasked?.grown(size))
    core.onClosing.push(async () => this.#unasked?.close())
  }

  /** The failure of the last automatic signature; null when all heads were signed. */
  get signingFailure(): unknown {
    return this.#unasked?.failure ?? null
  }

  /**
   * The present head, also after writes of other processes.
   * @example const { seq, hash } = await stack.ledger.head()
   */
  async head(): Promise<LedgerHead> {
    return headOf(this.#core)
  }

  /**
   * A page of entries as the hashed texts.
   * @example const { entries } = await stack.ledger.entries({ from: 0, limit: 10 })
   */
  async entries(options?: EntriesOptions | null): Promise<LedgerPage> {
    return entriesOf(this.#core, given(options))
  }

  /**
   * The policy in force after an entry, or the policy of a hash.
   * @example const { policy } = await stack.ledger.policyAt(1)
   */
  async policyAt(at: number | string): Promise<NamedPolicy> {
    return policyAt(this.#core, at)
  }

  /**
   * Repeats the decision of an entry from the earlier ledger and the policy of that time, and
   * compares the bytes. Reads the ledger up to the entry, as an audit does.
   * @example const { code } = await stack.ledger.replay(0)
   */
  async replay(seq: number): Promise<Replayed> {
    if (!Number.isSafeInteger(seq) || seq < 0) throw wrong('seq', 'the number of an entry')
    const { store, stackId, sha256 } = this.#core.whole
    const { tombstoneKey } = this.#core.erasing
    const tools = { sha256, tombstoneKey, gatherPast: this.#gatherPast }
    const { replay } = await import('../audit/replay/replay.ts')
    return store.snapshot((reader) => replay({ store: reader, stackId }, seq, tools))
  }

  /**
   * Signs the present head, after computing its root again from the stored bytes.
   * @example const { note: signed } = await stack.ledger.checkpoint()
   */
  async checkpoint(): Promise<SignedCheckpoint> {
    await this.#core.tidy()
    return this.signing().checkpoint()
  }

  /**
   * Every head signed here, oldest first, as signed notes.
   * @example const heads = await stack.ledger.checkpoints()
   */
  async checkpoints(): Promise<readonly string[]> {
    return this.signing().checkpoints()
  }

  /**
   * The public key, as clients pin it.
   * @example const key = await stack.ledger.verifierKey()
   */
  async verifierKey(): Promise<string> {
    return this.signing().key
  }

  /**
   * A self-contained receipt: `muniment/verify` checks it anywhere.
   * @example const receipt = await stack.ledger.prove(note)
   */
  async prove(ref: string, options?: ProveOptions & ReadBy): Promise<ProvedReceipt> {
    const proved = await this.signing().prove(parseRef(ref), options)
    if (proved.sealed === null) return proved // the receipt holds no words
    const shown = await this.#core.read({ type: 'memory', ref: parseRef(ref) })
    if (!shown) return proved
    const moment = await this.#core.moment()
    const { ref: own, tier, text } = viewOf(shown, moment)
    const needed = tierMinOf(moment.policy, options?.caller ? { caller: options.caller } : {}, 0)
    if (tier < needed) {
      throw new ScopeError(
        `A proof of ${own} holds its words, which this connection may not read.`,
        {
          hint: `It takes tier ${needed}, and the memory has ${tier}. Ask for the proof with withhold.`,
        },
      )
    }
    await this.#core.serving.serve('prove', options, [{ ref: own, tier, text }])
    return proved
  }

  /**
   * Proves that the present log extends an earlier size.
   * @example const path = await stack.ledger.proveConsistency(1)
   */
  async proveConsistency(oldSize: number): Promise<readonly Hash[]> {
    return this.signing().proveConsistency(oldSize)
  }

  /**
   * Proves that the present log extends an earlier size, and adds the signed head.
   * @example const { checkpoint } = await stack.ledger.proveExtension(1)
   */
  async proveExtension(oldSize: number): Promise<ProvedExtension> {
    await this.#core.tidy()
    return this.signing().proveExtension(oldSize)
  }

  /**
   * Audits the ledger and compares the last head signed here and the store's witness: an emptied
   * file or an older copy is sound in itself. A chain audit compares only the name and length of
   * the head. The witness knows commits after the last signed head.
   * @example const { ok, problems } = await stack.ledger.audit()
   */
  async audit(options: AuditOptions = {}): Promise<AuditReport> {
    const seen = await this.#core.asLeft.witnessed() // read before the log, which only grows
    const report = await this.#core.audit(options)
    const here = await this.#proving?.disagreementHere({ isRoot: !isChain(options) })
    const isOther = await isReplaced(this.#core.asLeft, seen)
    return withProblem(withProblem(report, here ?? null), againstWitness(report, { seen, isOther }))
  }

  /**
   * Audits and compares a head saved elsewhere, the only way to detect a full rewrite.
   * @example
   * const { note: signed } = await stack.ledger.checkpoint()
   * const { ok } = await stack.ledger.auditAgainst(signed)
   */
  async auditAgainst(note: string): Promise<AuditReport> {
    const report = await this.audit()
    const text = parseNote(note)?.text
    const held = text === undefined ? null : parseCheckpoint(text)
    if (!held) throw new MunimentError('invalid_input', 'That is not a signed head.')
    return withProblem(report, await this.signing().disagreement(held))
  }

  /**
   * Folds every row again from the ledger; answers stay equal.
   * @example const { memories, entries } = await stack.ledger.rebuild()
   */
  async rebuild(options: RebuildOptions = {}): Promise<Rebuilt> {
    return this.#core.rebuild(options)
  }

  /** True if tombstones exist and the key to check them is missing. */
  get lacksKey(): boolean {
    const { standing, erasing } = this.#core
    return standing.tombstones > 0 && erasing.tombstoneKey() === null
  }

  /** The name of this stack's key file; null before the first entry. */
  get uid(): string | null {
    return this.#core.standing.uid
  }

  /**
   * Provenance of one memory or of all memories as W3C PROV-JSON, without their words.
   * @example const document = await stack.ledger.prov(belief)
   */
  async prov(ref?: string): Promise<ProvDocument> {
    return provOf(this.#core, ref === undefined ? null : parseRef(ref))
  }

  /** @internal True if the stack has a signer and a store for signed heads. */
  get canSign(): boolean {
    return this.#proving !== null
  }

  /** @internal The signer of this stack; a stack without a signer refuses. */
  signing(): Proving {
    if (this.#proving) return this.#proving
    throw new MunimentError('store_unavailable', 'This stack was opened without a signer.')
  }
}

interface AgainstWitness {
  readonly seen: Witnessed
  readonly isOther: boolean
}

function againstWitness(
  { head: { seq } }: AuditReport,
  { seen, isOther }: AgainstWitness,
): AuditProblem | null {
  const last = Math.max(seq, 0)
  if (seen.isDamaged) return { code: 'head.mismatch', seq: last, detail: DAMAGED_WITNESS }
  if (seen.seq > seq) {
    const detail = `entry ${seen.seq} was written, and the log ends at entry ${seq}`
    return { code: 'head.rollback', seq: last, detail }
  }
  if (!isOther) return null
  const detail = `entry ${seen.seq} is not the one that was written`
  return { code: 'head.rewritten', seq: seen.seq, detail }
}

const DAMAGED_WITNESS =
  'the file that ends in -head is damaged, so it cannot tell if entries are missing; the next write makes it anew'

/** Reports a finding of two heads once. */
function withProblem(report: AuditReport, problem: AuditProblem | null): AuditReport {
  const isNew = ({ code, seq }: AuditProblem): boolean =>
    !report.problems.some((said) => said.code === code && said.seq === seq)
  if (problem === null || !isNew(problem)) return report
  return { ...report, ok: false, mark: null, problems: [...report.problems, problem] }
}
