import { MunimentError } from '../../domain/errors.ts'
import type { VerifyEd25519 } from '../../ledger/signed-note.ts'
import type { CheckpointShelf, Keyring, Signer } from '../../ports/world.ts'
import type { EngineCore } from '../core.ts'
import type { Erasures } from '../erase/erasures.ts'
import type { StackParts } from '../parts.ts'
import type { Ledger } from '../proofs/ledger.ts'
import type { Memory } from '../read/memory-view.ts'
import { oneOf } from '../write/write.ts'
import { exportBundle } from './bundle/export.ts'
import type { Restored } from './bundle/restore.ts'
import { type Dump, type DumpFile, exportText, readDump } from './import/dump.ts'
import {
  type Importing,
  type ImportOptions,
  type ImportReport,
  importRecords,
  MEMORIES_MAX,
} from './import/import-records.ts'
import { checkOwnExport, type OwnExport } from './import/own-export.ts'

interface ExportedText {
  readonly chunks: AsyncIterable<string>
  /** True if this machine will recognise the file and can restore the stack. */
  readonly isSealed: boolean
}

interface TransferTools {
  readonly core: EngineCore
  readonly ledger: Ledger
  readonly erasures: Erasures
}

/** Exports of the stack, and imports of memories. */
export class Transfer {
  readonly #core: EngineCore
  readonly #ledger: Ledger
  readonly #erasures: Erasures
  readonly #keyring: Keyring
  readonly #signer: Signer | undefined
  readonly #shelf: CheckpointShelf | undefined
  readonly #verify: VerifyEd25519 | undefined

  constructor(parts: StackParts, { core, ledger, erasures }: TransferTools) {
    this.#core = core
    this.#ledger = ledger
    this.#erasures = erasures
    this.#keyring = parts.world.keyring
    this.#signer = parts.signer
    this.#shelf = parts.shelf
    this.#verify = parts.verifySignature
  }

  /**
   * Streams the whole stack as one file, as of the first read.
   * @example
   * const lines: string[] = []
   * for await (const line of stack.transfer.bundle()) lines.push(line)
   */
  bundle(): AsyncIterable<string> {
    const { stackId, store, sha256, hasher } = this.#core.whole
    return this.#unlessLost(exportBundle({ stackId, store }, { sha256, hasher }))
  }

  /** Refuses a ledger with lost entries, because its bundle would pass for the whole. */
  async *#unlessLost(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    await this.#core.read({ type: 'standing' })
    yield* lines
  }

  /** @internal The memories with their ledger, sealed where this machine can sign. */
  async exportWhole(memories: readonly Memory[]): Promise<ExportedText> {
    const isSealed = await this.#canSeal()
    const sign = isSealed ? (text: string) => this.#ledger.signing().signText(text) : null
    const { stackId, hasher } = this.#core.whole
    const parts = { stackId, memories, lines: this.bundle(), hasher: hasher(), sign }
    return { chunks: exportText(parts), isSealed }
  }

  /** A ledger that lost entries since the last signed head is exported without a seal. */
  async #canSeal(): Promise<boolean> {
    if (!this.#ledger.canSign || this.#verify === undefined) return false
    try {
      await this.#ledger.signing().checkpoint()
      return true
    } catch (cause) {
      if (cause instanceof MunimentError) return false
      throw cause
    }
  }

  /**
   * Imports a dump. This machine's own export restores an empty stack; any other file passes the
   * gate as the importer's words, where a refusal is reported and the import continues.
   * @example
   * const dump = JSON.parse(await stack.dump({ format: 'json' })) as Dump
   * const report = await stack.transfer.import(dump)
   */
  async import(dump: Dump, options: ImportOptions = {}): Promise<ImportReport> {
    const file = readDump(dump, options.memoriesMax ?? MEMORIES_MAX)
    const checked = await this.#checkOwn(file, options)
    const own = checked.isOwn ? await this.#bringBack(checked, file, options) : checked.because
    if (typeof own !== 'string') return own
    const { sha256 } = this.#core.whole
    const { now } = await this.#core.moment()
    const write: Importing['write'] = async (request, caller) =>
      oneOf(await this.#core.writeRouted([request], caller))
    const { yieldToEventLoop, read } = this.#core
    const wordsOf: Importing['wordsOf'] = async (ref) =>
      (await read({ type: 'memory', ref }))?.state.contentHash ?? null
    const importing = { write, wordsOf, sha256, now, yieldToEventLoop }
    return importRecords(importing, file, { ...options, because: own })
  }

  async #checkOwn(file: DumpFile, { by }: ImportOptions): Promise<OwnExport> {
    const [signer, shelf, verify] = [this.#signer, this.#shelf, this.#verify]
    const { stackId, store, sha256, hasher } = this.#core.whole
    if (file.ledger === null) return { isOwn: false, because: 'The file holds no ledger.' }
    if (by !== undefined && !by.person) {
      return {
        isOwn: false,
        because: 'A program imports the file, and only a person can bring a stack back.',
      }
    }
    const { tip } = await store.read(stackId, { type: 'standing' })
    if (tip.head.seq >= 0) {
      return { isOwn: false, because: `The stack “${stackId}” holds memories already.` }
    }
    if (!signer || !shelf || !verify) {
      return { isOwn: false, because: 'This stack was opened without a signer.' }
    }
    const records = { stackId, keyring: this.#keyring, signer, shelf, verify, sha256, hasher }
    return checkOwnExport(file, records)
  }

  /** Restores the whole ledger in one commit, or returns the reason of a failure. */
  async #bringBack(
    { header, ledger, laterEntries }: Extract<OwnExport, { isOwn: true }>,
    { memories }: DumpFile,
    { onProgress }: ImportOptions,
  ): Promise<ImportReport | string> {
    const { stackId, store, sha256, hasher } = this.#core.whole
    const total = memories.length
    const told = onProgress && {
      onProgress: (passed: { readonly done: number; readonly total: number }) =>
        onProgress({ done: Math.floor((total * passed.done) / passed.total), total }),
    }
    const { restoreBundle } = await import('./bundle/restore.ts') // loads the audit, which few calls need
    let restored: Restored
    try {
      restored = await restoreBundle(store, ledger, { stackId, sha256, hasher, ...told })
    } catch (cause) {
      if (!(cause instanceof MunimentError) || cause.code !== 'invalid_bundle') throw cause
      return `The ledger in the file does not hold: ${cause.message}`
    }
    await this.#core.broughtBack()
    if (this.#ledger.canSign) await this.#ledger.signing().accept()
    const erasedAgain = await this.#erasures.resume()
    return {
      as: 'own',
      because: null,
      whole: { head: header.head, laterEntries, erasedAgain },
      total: restored.memories,
      written: restored.memories,
      unchanged: 0,
      collapsed: 0,
      refused: [],
      sourcesMissing: 0,
    }
  }
}
