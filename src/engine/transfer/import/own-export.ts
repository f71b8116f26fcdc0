import { MunimentError } from '../../../domain/errors.ts'
import type { Hash, StackId } from '../../../domain/ids.ts'
import type { BundleHeader } from '../../../ledger/bundle/format.ts'
import { headerIn } from '../../../ledger/bundle/read.ts'
import { canonicalize } from '../../../ledger/canonical.ts'
import { appendLeaf, emptyFrontier, leafHash, rootOf } from '../../../ledger/merkle.ts'
import { type Hasher, type Sha256, utf8 } from '../../../ledger/sha256.ts'
import {
  openNote,
  originOf,
  parseCheckpoint,
  parseNote,
  type VerifyEd25519,
} from '../../../ledger/signed-note.ts'
import type { CheckpointShelf, Keyring, Signer } from '../../../ports/world.ts'
import type { DumpFile } from './dump.ts'

const SEAL_FORMAT = 'muniment/export-seal/1'

/** The statement that a machine signs about an export file: the digest of the whole content. */
export const sealText = (digest: Hash): string => `${SEAL_FORMAT}\n${digest}\n`

/**
 * Hashes the content of an export file, independent of its white space. The last ledger line is the
 * digest of all ledger lines, and so stands for the whole ledger, its header and its uid.
 */
export class SealDigest {
  readonly #hasher: Hasher

  constructor(hasher: Hasher) {
    this.#hasher = hasher
  }

  /** Adds a memory as parsed JSON. */
  memory(value: unknown): void {
    this.#hasher.update(`${canonicalize(value)}\n`)
  }

  /** Ends the digest with the last line of the ledger. */
  end(lastLine: string): Hash {
    this.#hasher.update(`${lastLine}\n`)
    return this.#hasher.digest()
  }
}

/** Records of this machine outside the stack, and the tools for the check. */
interface OwnRecords {
  readonly stackId: StackId
  readonly keyring: Pick<Keyring, 'find'>
  readonly signer: Signer
  readonly shelf: Pick<CheckpointShelf, 'all'>
  readonly verify: VerifyEd25519
  readonly sha256: Sha256
  readonly hasher: () => Hasher
}

/** An export file of this machine, or the reason why the file does not count as one. */
export type OwnExport =
  | {
      readonly isOwn: true
      readonly header: BundleHeader
      readonly ledger: readonly string[]
      /** Entries that a head signed here covers and the file does not hold. */
      readonly laterEntries: number
    }
  | { readonly isOwn: false; readonly because: string }

const foreign = (because: string): OwnExport => ({ isOwn: false, because })

/**
 * Decides whether a file is this machine's own export. The stack's uid must have keys here, the
 * seal must be signed by the key of this home over exactly this content, and no head signed here
 * may contradict the ledger. The ledger is audited later, during the restore.
 */
export async function checkOwnExport(file: DumpFile, records: OwnRecords): Promise<OwnExport> {
  const { stackId, keyring, sha256 } = records
  const { ledger, seal } = file
  const header = ledger === null ? null : headerOf(ledger[0])
  if (ledger === null || header === null) return foreign('The file holds no ledger.')
  if (seal === null) return foreign('The file has no seal: no machine vouches for its content.')
  if (header.stack !== stackId || file.stackId !== stackId) {
    return foreign(`The file is of the stack “${file.stackId}”, and this stack is “${stackId}”.`)
  }
  if (keyring.find(header.uid) === null) {
    return foreign(`This machine has no keys of the stack that wrote the file: keys/${header.uid}.`)
  }
  if (!isSealed(file, { ...records, seal, last: ledger.at(-1) ?? '' })) {
    return foreign('The file was changed after its export, or another machine exported it.')
  }
  const origin = originOf(header.uid, stackId)
  const signed = await rootsSignedHere(records.shelf, origin)
  if (contradicts(ledger.slice(1, 1 + header.counts.entries), signed, sha256)) {
    return foreign('A head that this machine signed does not fit the ledger in the file.')
  }
  const size = Math.max(0, ...signed.keys())
  return {
    isOwn: true,
    header,
    ledger,
    laterEntries: Math.max(0, size - header.counts.entries),
  }
}

function headerOf(line: string | undefined): BundleHeader | null {
  try {
    return headerIn(line ?? '')
  } catch (cause) {
    if (cause instanceof MunimentError) return null
    throw cause
  }
}

function isSealed(
  { memories }: DumpFile,
  of: OwnRecords & { readonly seal: string; readonly last: string },
): boolean {
  const { seal, last, signer, verify, sha256 } = of
  const digest = new SealDigest(of.hasher())
  for (const memory of memories) digest.memory(memory)
  const { name, publicKey } = signer
  const opened = openNote(seal, [{ name, publicKey }], { sha256, verify })
  return opened.ok && opened.text === sealText(digest.end(last))
}

/**
 * Sizes and roots of valid heads of this log that were signed here. A later head with a smaller
 * size records a restore of an older copy; larger heads before no longer count.
 */
async function rootsSignedHere(
  shelf: OwnRecords['shelf'],
  origin: string,
): Promise<ReadonlyMap<number, Hash>> {
  const roots = new Map<number, Hash>()
  for (const note of await shelf.all()) {
    const head = parseCheckpoint(parseNote(note)?.text ?? '')
    if (head?.origin !== origin) continue
    for (const size of roots.keys()) if (size > head.size) roots.delete(size)
    roots.set(head.size, head.root)
  }
  return roots
}

/** True if the entries give another root at the size of a signed head. */
function contradicts(
  entries: readonly string[],
  signed: ReadonlyMap<number, Hash>,
  sha256: Sha256,
): boolean {
  if (signed.size === 0) return false
  let frontier = emptyFrontier
  for (const line of entries) {
    frontier = appendLeaf(sha256, frontier, leafHash(sha256, utf8(line)))
    const root = signed.get(frontier.size)
    if (root !== undefined && root !== rootOf(sha256, frontier)) return true
  }
  return false
}
