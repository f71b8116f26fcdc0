import { Buffer } from 'node:buffer'
import { fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'

// The file format of SQLite, https://www.sqlite.org/fileformat2.html: a page of a tree has a header,
// then the places of its cells, unused bytes, and the cells with free blocks between them.
const FILE_HEADER_BYTES = 100 // before the header of the first page
const RESERVED_AT = 20 // bytes at the end of every page that SQLite does not use
const TREE_HEADER_BYTES: ReadonlyMap<number, number> = new Map([
  [2, 12], // inner page of an index
  [5, 12], // inner page of a table
  [10, 8], // leaf of an index
  [13, 8], // leaf of a table
])
const PLACE_BYTES = 2 // of a cell, in the list behind the header
const FREE_BLOCK_HEADER_BYTES = 4

interface Page {
  readonly bytes: Buffer
  readonly isFirst: boolean
  /** Bytes of the page that SQLite uses. */
  readonly usable: number
}

/**
 * Overwrites the bytes of a page that hold no cell; true if any was not zero. When rows move between
 * pages, SQLite leaves copies of them there, which its `secure_delete` does not reach.
 */
export function zeroUnused({ bytes, isFirst, usable }: Page): boolean {
  const start = isFirst ? FILE_HEADER_BYTES : 0
  const headerBytes = TREE_HEADER_BYTES.get(bytes[start] ?? 0)
  if (headerBytes === undefined) return false // the first byte of any other page is zero
  const at = (offset: number): number => bytes.readUInt16BE(start + offset)
  const gapStart = start + headerBytes + at(3) * PLACE_BYTES
  const cells = at(5) === 0 ? 65_536 : at(5)
  if (gapStart > cells || cells > usable) return false // damage, which a check of the file reports
  let isChanged = zero(bytes, gapStart, cells)
  for (let block = at(1), before = cells - 1; block > before; ) {
    if (block + FREE_BLOCK_HEADER_BYTES > usable) break
    const end = block + bytes.readUInt16BE(block + 2)
    if (end > usable) break
    isChanged = zero(bytes, block + FREE_BLOCK_HEADER_BYTES, end) || isChanged
    before = block
    block = bytes.readUInt16BE(block)
  }
  return isChanged
}

function zero(bytes: Buffer, start: number, end: number): boolean {
  if (start >= end) return false
  const part = bytes.subarray(start, end)
  if (part.equals(ZEROS.subarray(0, part.length))) return false
  part.fill(0)
  return true
}

const ZEROS = Buffer.alloc(65_536)

/**
 * Handles by file, never closed: closing any handle of a file drops the locks that SQLite holds on
 * the file for this process.
 */
const handles = new Map<string, number>()

function handleOf(path: string): number {
  const { dev, ino } = statSync(path, { bigint: true })
  const key = `${dev} ${ino}`
  const handle = handles.get(key) ?? openSync(path, 'r+')
  handles.set(key, handle)
  return handle
}

/** The pages of a stack's file beside SQLite, for a caller that keeps every other writer away. */
export class FilePages {
  readonly #handle: number
  readonly #pageBytes: number
  #buffer = Buffer.alloc(0)

  constructor(path: string, pageBytes: number) {
    this.#handle = handleOf(path)
    this.#pageBytes = pageBytes
  }

  get count(): number {
    return Math.floor(fstatSync(this.#handle).size / this.#pageBytes)
  }

  /** Overwrites unused bytes in so many pages; true if any page was changed. */
  zeroUnused(from: number, count: number): boolean {
    const pageBytes = this.#pageBytes
    const length = count * pageBytes
    if (this.#buffer.length < length) this.#buffer = Buffer.alloc(length)
    const pages = this.#buffer
    const read = readSync(this.#handle, pages, { length, position: from * pageBytes })
    const usable = pageBytes - this.#reserved()
    let isChanged = false
    for (let start = 0; start + pageBytes <= read; start += pageBytes) {
      const bytes = pages.subarray(start, start + pageBytes)
      const position = from * pageBytes + start
      if (!zeroUnused({ bytes, isFirst: position === 0, usable })) continue
      writeSync(this.#handle, bytes, 0, pageBytes, position)
      isChanged = true
    }
    return isChanged
  }

  #reserved(): number {
    const reserved = Buffer.alloc(1)
    readSync(this.#handle, reserved, { position: RESERVED_AT })
    return reserved[0] ?? 0
  }

  sync(): void {
    fsyncSync(this.#handle)
  }
}
