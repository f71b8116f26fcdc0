import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname } from 'node:path'

const LINE_FEED = 0x0a

/**
 * Adds lines to a file that only grows, readable by its owner alone, durable when it returns. A last
 * line that a crash cut off is ended first: what is added must not be lost with it.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  try {
    const text = lines.map((line) => `${line}\n`).join('')
    appendFileSync(file, endsInLine(file) ? text : `\n${text}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function endsInLine(file: number): boolean {
  const { size } = fstatSync(file)
  if (size === 0) return true
  const last = new Uint8Array(1)
  readSync(file, last, { position: size - 1 })
  return last[0] === LINE_FEED
}
