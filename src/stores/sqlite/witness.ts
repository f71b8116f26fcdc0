import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { isHash, ZERO_HASH } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'

const FILE_MODE = 0o600
const WIDTH = 20 // digits of a seq, so that a shorter line never leaves the end of a longer one

export const witnessOf = (stackPath: string): string => `${stackPath}-head`

const lineOf = ({ seq, hash }: Pick<Head, 'seq' | 'hash'>): string =>
  `${String(seq).padStart(WIDTH, '0')} ${hash}\n`

/**
 * Replaces the witness with one that saw the first entry only. Any stack passes it; a file that is missing
 * or empty does not, so that no process begins a new stack there.
 */
export function putGuard(stackPath: string): void {
  const part = `${witnessOf(stackPath)}.part`
  const text = lineOf({ seq: 0, hash: ZERO_HASH })
  writeFileSync(part, text, { mode: FILE_MODE, flush: true })
  renameSync(part, witnessOf(stackPath)) // the old witness has a second name, so is not written to
}

/**
 * The last head, in a file beside the stack's, while there is a `-wal`. A `-wal` that is lost takes
 * acknowledged commits with it and leaves a file that looks whole; the witness still knows.
 * It is written after the commit and not synced: it may lag behind the file, never lead it.
 */
export class Witness {
  readonly #path: string
  readonly #stackPath: string
  #handle: number | null = null

  constructor(stackPath: string) {
    this.#stackPath = stackPath
    this.#path = witnessOf(stackPath)
  }

  /** What it saw last; read before the head it is compared with. */
  recall(): number {
    if (!existsSync(this.#path)) return -1
    const [seq = '', hash] = readFileSync(this.#path, 'utf8').trim().split(' ')
    return isHash(hash) && /^\d+$/.test(seq) ? Number(seq) : -1 // cut short by a power cut: says nothing
  }

  /** The commit is made by now: a witness that cannot write must not make it look undone. */
  note({ seq, hash }: Head): void {
    try {
      this.#handle ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, FILE_MODE)
      writeSync(this.#handle, lineOf({ seq, hash }), 0)
    } catch {
      this.#release()
    }
  }

  #release(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }

  /** After the last close the commits are all in the file, and nothing is left to witness. */
  dismiss(): void {
    this.#release()
    if (!existsSync(`${this.#stackPath}-wal`)) rmSync(this.#path, { force: true })
  }
}
