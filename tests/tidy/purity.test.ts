import { describe, expect, test } from 'vitest'
import { checkPurity } from './purity.ts'

const found = (path: string, text: string): number => checkPurity([{ path, text }]).length

const CLOCK_AND_DICE = [
  'const t = Date.now()',
  'const t = new Date()',
  'const t = new Date',
  'const t = Date()',
  'const { now } = Date',
  'const clock = Date',
  "const t = Date['now']()",
  'const r = Math.random()',
  'const { random } = Math',
  "const r = Math['random']()",
  'const id = crypto.randomUUID()',
  "import { randomUUID } from 'node:crypto'",
  "import { randomBytes } from 'node:crypto'",
  'const t = performance.now()',
  'const t = process.hrtime.bigint()',
]

const MACHINE = [
  'const home = process.env.HOME',
  'const c = globalThis.crypto',
  "const c = globalThis['cry' + 'pto']",
  'const c = crypto.subtle',
  'setTimeout(f, 10)',
  'setInterval(f, 10)',
  "await fetch('x')",
  'const f = { fetch }',
  'const url = import.meta.url',
  'a.localeCompare(b)',
  'a.toLocaleLowerCase()',
  'date.getHours()',
]

const HARMLESS = [
  'const t = new Date(0)',
  'const t = Date.parse(text)',
  'const t = Date.UTC(2026, 0)',
  'const is = x instanceof Date',
  'let t: Date',
  'const m = Math.max(1, 2)',
  '// Date.now() and process.env are for others',
  "const text = 'Date.now()'",
  'interface Port { fetch(): void; process: string }',
  'port.fetch(); port.process(1); const o = { crypto: 1 }',
  'class A { constructor() { this.name = new.target.name } }',
]

describe('pure rooms', () => {
  test.each([...CLOCK_AND_DICE, ...MACHINE])('may not: %s', (text) => {
    expect(found('src/gate/a.ts', text)).toBeGreaterThan(0)
  })

  test.each(HARMLESS)('may: %s', (text) => {
    expect(found('src/gate/a.ts', text)).toBe(0)
  })

  test.each([
    'domain',
    'ledger',
    'ledger/verify',
    'fold',
    'fold/lineage',
    'gate',
    'recall',
    'ports',
    'recall/embed',
  ])('include %s', (room) => {
    expect(found(`src/${room}/a.ts`, 'process.exit()')).toBe(1)
  })

  test('have tests that may', () => {
    expect(found('src/gate/a.test.ts', 'Date.now()')).toBe(0)
  })
})

describe('other rooms', () => {
  test.each(CLOCK_AND_DICE)('may not: %s', (text) => {
    expect(found('src/engine/a.ts', text)).toBeGreaterThan(0)
    expect(found('src/testing/a.ts', text)).toBeGreaterThan(0)
  })

  test('may touch the machine', () => {
    expect(found('src/stores/sqlite/a.ts', 'process.pid; setTimeout(f, 1)')).toBe(0)
  })

  test('may read the clock where that is argued', () => {
    expect(found('src/compose/a.ts', 'Date.now()')).toBe(0)
    expect(found('src/doors/cli/a.ts', 'performance.now()')).toBe(0)
  })
})
