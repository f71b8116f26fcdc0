import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { isHash, ZERO_HASH } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'

const FILE_MODE = 0o600
const WIDTH = 20 // digits of a seq, so that a shorter text fully overwrites a longer text

export const witnessOf = (stackPath: string): string => `${stackPath}-head`

const lineOf = ({ seq, hash }: Pick<Head, 'seq' | 'hash'>): string =>
  `${String(seq).padStart(WIDTH, '0')} ${hash}\n`

/**
 * Replaces the witness with a record of the first entry only. Any stack passes; a missing or empty
 * file fails, so no process begins a new stack there.
 */
export function putGuard(stackPath: string): void {
  const part = `${witnessOf(stackPath)}.part`
  const text = lineOf({ seq: 0, hash: ZERO_HASH })
  writeFileSync(part, text, { mode: FILE_MODE, flush: true })
  renameSync(part, witnessOf(stackPath)) // the old witness has a second name, so is not written to
}

/**
 * The last head, in a file beside the stack's file. A lost `-wal`, an older copy and a blank database
 * look whole; the witness still knows the head, and so stays when the stack is closed. Written after
 * the commit and not synced, so the witness may lag but never lead.
 */
export class Witness {
  readonly #path: string
  #handle: number | null = null

  constructor(stackPath: string) {
    this.#path = witnessOf(stackPath)
  }

  /** The last head seen; read before the head of the file. */
  recall(): number {
    if (!existsSync(this.#path)) return -1
    const [seq = '', hash] = readFileSync(this.#path, 'utf8').trim().split(' ')
    return isHash(hash) && /^\d+$/.test(seq) ? Number(seq) : -1 // cut short by a power cut: says nothing
  }

  /** The commit is done: a failing witness must not make the commit look undone. */
  note({ seq, hash }: Head): void {
    try {
      this.#handle ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, FILE_MODE)
      writeSync(this.#handle, lineOf({ seq, hash }), 0)
    } catch {
      this.release()
    }
  }

  release(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }
}
