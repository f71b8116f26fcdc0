import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import { MunimentError } from '../../src/domain/errors.ts'
import { seededDice } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

const PAGE = 8_192

async function smallFile(): Promise<string> {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  for (let count = 0; count < 60; count += 1) await opened.me.note(`filling, part ${count}`)
  await opened.close()
  return path
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(path, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}

/** Tries a write; the code of the error, or that it was taken. */
async function writtenTo(path: string): Promise<string> {
  let opened: Awaited<ReturnType<typeof openOn>> | undefined
  try {
    opened = await openOn(path, { seed: 3 })
    await opened.me.attachStack(opened.stack)
    await opened.me.note('on top of it')
    return 'written'
  } catch (error) {
    if (error instanceof MunimentError) return error.code
    throw error
  } finally {
    await opened?.close()
    for (const end of ['-shm', '-head']) rmSync(path + end, { force: true })
  }
}

/** What becomes of a damaged file: a coded error, or what the looks at it found. */
async function lookedAt(path: string): Promise<string> {
  let opened: Awaited<ReturnType<typeof openOn>> | undefined
  try {
    opened = await openOn(path, { seed: 2 })
    const [problem] = await opened.store.check()
    if (problem !== undefined) return 'found by the check'
    const { ok } = await opened.stack.ledger.audit()
    return ok ? 'unnoticed' : 'found by the audit'
  } catch (error) {
    if (error instanceof MunimentError) return error.code
    throw error
  } finally {
    await opened?.close()
  }
}

test('a file whose first bytes are something else is corrupt, and says so', async () => {
  const path = await smallFile()
  overwrite(path, 0, new Uint8Array(100).fill(7))
  await expect(openOn(path)).rejects.toMatchObject({ code: 'store_corrupt' })
})

test('a file cut short is noticed', async () => {
  const path = await smallFile()
  truncateSync(path, statSync(path).size - 3 * PAGE)
  expect(await lookedAt(path)).not.toBe('unnoticed')
})

holds('LEDGER-DETECT', 'a file cut at any length takes no writes', async () => {
  const path = await smallFile()
  const whole = readFileSync(path)
  expect(await writtenTo(path)).toBe('written')
  const dice = seededDice(7)
  const lengths = [1, 2, 100, 511, 4_095].map((less) => whole.length - less)
  for (let count = 0; count < 20; count += 1) lengths.push(1 + dice.roll(whole.length - 1))
  for (const length of lengths) {
    writeFileSync(path, whole.subarray(0, length))
    expect(await writtenTo(path), `${length} of ${whole.length} bytes`).toBe('store_corrupt')
    expect(statSync(path).size).toBe(length)
  }
})

holds('LEDGER-DETECT', 'a file cut below its log takes no writes', async () => {
  const path = ownPath()
  const first = await openOn(path)
  await writeSmallHistory(first)
  for (let count = 0; count < 60; count += 1) await first.me.note(`filling, part ${count}`)
  await first.close()
  const opened = await openOn(path, { seed: 2 })
  await opened.me.attachStack(opened.stack)
  for (let count = 0; count < 40; count += 1) await opened.me.note(`in the log, part ${count}`)
  const copy = `${path}.copy`
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end)
  await opened.close()
  const [whole, log] = [readFileSync(copy), readFileSync(`${copy}-wal`)]
  const dice = seededDice(9)
  for (let count = 0; count < 10; count += 1) {
    const length = 4_096 * (2 + dice.roll(whole.length / 4_096 - 3))
    writeFileSync(copy, whole.subarray(0, length))
    expect(await writtenTo(copy), `${length} of ${whole.length} bytes`).toBe('store_corrupt')
    expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true)
  }
  writeFileSync(copy, whole)
  expect(await writtenTo(copy)).toBe('written')
})

holds('LEDGER-DETECT', 'a page overwritten anywhere is an error or a finding', async () => {
  const path = await smallFile()
  const whole = readFileSync(path)
  expect(await lookedAt(path)).toBe('unnoticed')
  const pages = whole.length / PAGE
  for (let page = 1; page < pages; page += 1) {
    overwrite(path, page * PAGE, new Uint8Array(PAGE))
    expect(await lookedAt(path), `page ${page + 1} of ${pages}`).not.toBe('unnoticed')
    overwrite(path, 0, whole)
  }
})

/** Free space inside a page holds nothing; a bit flipped there changes nothing that is read. */
holds('LEDGER-DETECT', 'a bit flipped in what an entry says is found by the audit', async () => {
  const path = await smallFile()
  const whole = readFileSync(path)
  const dice = seededDice(5)
  for (let count = 0; count < 20; count += 1) {
    const from = whole.indexOf('"commitment":"', dice.roll(whole.length >> 1))
    const at = from + 20 + dice.roll(40)
    overwrite(path, at, Uint8Array.of((whole[at] ?? 0) ^ 1))
    expect(await lookedAt(path), `byte ${at}`).toBe('found by the audit')
    overwrite(path, 0, whole)
  }
})
