import type { StackId } from '../../../domain/ids.ts'
import type { Hasher } from '../../../ledger/sha256.ts'
import type { Memory } from '../../read/memory-view.ts'
import { DUMP_FORMAT } from './dump.ts'
import { SealDigest, sealText } from './export-seal.ts'

export interface ExportParts {
  readonly stackId: StackId
  readonly memories: readonly Memory[]
  /** The lines of the bundle, each ended by a line feed. */
  readonly lines: AsyncIterable<string>
  readonly hasher: Hasher
  /** Signs the seal; null where nothing can be signed. */
  readonly sign: ((text: string) => string) | null
}

/**
 * The text of an export file: readable memories, the ledger for a restore, and a seal by which this
 * machine recognises its own file.
 */
export async function* exportText(parts: ExportParts): AsyncGenerator<string, void, undefined> {
  const { stackId, memories, lines, hasher, sign } = parts
  const digest = new SealDigest(hasher)
  yield `{\n  "format": "${DUMP_FORMAT}",\n  "stack": ${JSON.stringify(stackId)},\n  "memories": [`
  let comma = ''
  for (const memory of memories) {
    const text = JSON.stringify(memory, null, 2)
    digest.memory(JSON.parse(text))
    yield `${comma}\n    ${text.replaceAll('\n', '\n    ')}`
    comma = ','
  }
  yield '\n  ],\n  "ledger": ['
  let last = ''
  comma = ''
  for await (const line of lines) {
    last = line.slice(0, -1)
    yield `${comma}\n    ${JSON.stringify(last)}`
    comma = ','
  }
  const seal = sign === null ? null : sign(sealText(digest.end(last)))
  yield `\n  ],\n  "seal": ${JSON.stringify(seal)}\n}\n`
}
