import { type OpenOptions, openStack } from '../../compose/open-stack.ts'
import { parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { label } from '../../domain/labels.ts'
import type { ProvenancePayload } from '../../domain/provenance.ts'
import type { SaveRecord } from '../../engine/write/write-request.ts'
import type { Store } from '../../ports/store.ts'
import type { Stack } from '../../stack.ts'
import { type FakeClock, fakeWorld } from '../world.ts'
import type { StoreUnderTest } from './given.ts'
import { SAMPLES, type SavedKind } from './protocol-samples.ts'

/** The input of every case of the protocol suite: an empty store and stacks opened on the store. */
export interface StackGiven {
  readonly clock: FakeClock
  /** The stack of this case; bare of components unless some are given. */
  open(options?: OpenOptions): Promise<StackHand>
  /**
   * The stack after its store was closed and reopened; skips the case when the store cannot reopen.
   */
  reopen(): Promise<StackHand>
}

/** `leaveOut` ends a case without failing it: in vitest, `context.skip`. */
export function givenStack(made: StoreUnderTest, leaveOut: (reason: string) => never): StackGiven {
  const world = fakeWorld(1)
  const on = async (store: Store, options: OpenOptions) =>
    new StackHand(await openStack('protocol', { store, ...world, components: [], ...options }))
  return {
    clock: world.clock,
    open: (options = {}) => on(made.store, options),
    reopen: async () => {
      const { reopen, lacks = {} } = made
      if (!reopen) return leaveOut(lacks.reopen ?? 'no reopen was given')
      return on(await reopen(), {})
    },
  }
}

type Papers = Partial<ProvenancePayload>

/** Saves memories of any kind with complete provenance, their sources first. */
export class StackHand {
  readonly stack: Stack
  readonly #sources = new Map<SavedKind, Ref>()
  #made = 0

  constructor(stack: Stack) {
    this.stack = stack
  }

  /** Saves a memory of a kind; given members of body and provenance replace the sample's. */
  async make<K extends SavedKind>(
    kind: K,
    body: Partial<BodyInputOf<K>> = {},
    papers: Papers = {},
  ): Promise<Ref> {
    const record = await this.record(kind, body, papers)
    return parseRef(`${kind}:${await this.stack.save(kind, record)}`)
  }

  async id<K extends SavedKind>(
    kind: K,
    body: Partial<BodyInputOf<K>> = {},
    papers: Papers = {},
  ): Promise<string> {
    return splitRef(await this.make(kind, body, papers)).id
  }

  /** Saves several memories in one commit, oldest first. */
  async makeMany<K extends SavedKind>(
    kind: K,
    count: number,
    body: Partial<BodyInputOf<K>> = {},
  ): Promise<readonly Ref[]> {
    const records: SaveRecord<K>[] = []
    for (let n = 0; n < count; n += 1) records.push(await this.record(kind, body))
    const ids = await this.stack.saveAll(kind, records)
    return ids.map((id) => parseRef(`${kind}:${id}`))
  }

  /** The arguments of a low-level save: body and whole provenance. */
  async record<K extends SavedKind>(
    kind: K,
    body: Partial<BodyInputOf<K>> = {},
    papers: Papers = {},
  ): Promise<SaveRecord<K>> {
    this.#made += 1
    const whole = { ...SAMPLES[kind].body(this.#made), ...body } as BodyInputOf<K> // sample and more
    const provenance = {
      sourceType: 'direct_experience' as const,
      label: label.firstHand(),
      sourceId: 'the host',
      ingestionPath: 'lib:conformance',
      confidence: 0.8,
      llmModel: null,
      trustTier: 2 as const,
      derivedFrom: papers.derivedFrom ?? (await this.sourcesFor(kind)),
      ...(await this.stack.control.certify(kind, whole)),
      ...papers,
    }
    return { ...whole, provenance } as SaveRecord<K> // a body of this kind with its provenance
  }

  /** A source that a memory of this kind may cite; made once. */
  async sourcesFor(kind: SavedKind): Promise<Ref[]> {
    const { from } = SAMPLES[kind]
    if (from === null) return []
    const known = this.#sources.get(from) ?? (await this.make(from))
    this.#sources.set(from, known)
    return [known]
  }

  /** Brings a memory to a strength, by the protocol's own means. */
  async setStrength(ref: Ref, strength: number): Promise<void> {
    const { kind, id } = splitRef(ref)
    await this.stack.protectMemory(kind, id, false)
    if (strength === 0) await this.stack.forgetMemory(kind, id, 'as the case wants')
    else if (strength < 1) await this.stack.changes.weaken(ref, 1 - strength)
  }

  async entryCount(): Promise<number> {
    return (await this.stack.ledger.audit()).entries
  }
}

export const refsOf = (found: readonly { readonly ref: Ref }[]): readonly Ref[] =>
  found.map(({ ref }) => ref)

export const idOf = (ref: Ref): string => splitRef(ref).id
