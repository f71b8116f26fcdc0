import { exportBundle } from './bundle/export.ts'
import { ExplainingStack } from './explaining.ts'
import type { Dump } from './import/dump.ts'
import {
  type Importing,
  type ImportOptions,
  type ImportReport,
  importRecords,
} from './import/import-records.ts'

/** How a stack leaves the place where it lies, and how memories of another come in. */
export class TransferableStack extends ExplainingStack {
  /** The whole stack as one file, line by line, as it is when the first line is asked for. */
  exportBundle(): AsyncIterable<string> {
    const { stackId, store, sha256, hasher } = this.whole
    return this.#unlessLost(exportBundle({ stackId, store }, { sha256, hasher }))
  }

  /** A bundle of what is left of a ledger would pass for the whole. */
  async *#unlessLost(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    await this.uses.read({ type: 'standing' })
    yield* lines
  }

  /** Writes what a dump holds through the gate; a refusal is reported, and the rest goes on. */
  async importRecords(dump: Dump, options: ImportOptions = {}): Promise<ImportReport> {
    const { sha256 } = this.whole
    const { now } = await this.uses.moment()
    const write: Importing['write'] = (request, caller) => this.write(request, caller)
    return importRecords({ write, sha256, now }, dump, options)
  }
}
