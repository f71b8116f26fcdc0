import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { isHash } from '../../domain/ids.ts'
import type { Head } from '../../domain/waist.ts'

const FILE_MODE = 0o600
const WIDTH = 20 // digits of a seq, so that a shorter line never leaves the end of a longer one

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
    this.#path = `${stackPath}-head`
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
      writeSync(this.#handle, `${String(seq).padStart(WIDTH, '0')} ${hash}\n`, 0)
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
