import { expect, test } from 'vitest'
import { DOORS } from '../../src/domain/doors.ts'
import { ENTRY_OPS } from '../../src/domain/entry.ts'
import { RECORD_KINDS } from '../../src/domain/ids.ts'
import { DISPOSITIONS, RULE_NAMES } from '../../src/domain/vocabulary.ts'
import { readProjectFile } from '../support/project-files.ts'
import { shortHistory } from './short-history.ts'

const page = readProjectFile('docs/ledger-format.md')

const between = (start: string, end: string): string => {
  const from = page.indexOf(start) + start.length
  return page.slice(from, page.indexOf(end, from))
}

const listed = (start: string, end: string): readonly string[] =>
  between(start, end)
    .split(',')
    .map((word) => word.replace(/^\s*one of/u, '').trim())

const sorted = (words: Iterable<string>): readonly string[] => [...new Set(words)].sort()

test('the page on an entry names its members, operations, rules, words, doors and kinds', async () => {
  const { rows } = await shortHistory()
  const entries = rows.entries.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString('utf8')))
  const table = between('## 2. An entry', '**Hash and chain.**')
  const members = [...table.matchAll(/^\| `(\w+)` \|/gmu)].map(([, name]) => String(name))
  for (const entry of entries) expect(sorted(Object.keys(entry))).toEqual(sorted(members))
  const operations = between('## 3. Operations', '## 4.').split('\n')
  const named = operations.flatMap((line) =>
    line.startsWith('| `') ? [...(line.split(' |')[0] ?? '').matchAll(/`([\w.]+)`/gu)] : [],
  )
  const changes = [...between('## 4.', '## 5.').matchAll(/`([a-z]+\.[a-z]+)`/gu)]
  const ops = [...named, ...changes].map(([, op]) => String(op))
  expect(ENTRY_OPS.filter((op) => !ops.includes(op))).toEqual([])
  expect(sorted(listed('Rules: ', '. Words:'))).toEqual(sorted(RULE_NAMES))
  expect(sorted(listed('Words: ', '.\n'))).toEqual(sorted(DISPOSITIONS))
  expect(sorted(listed('the kind one of ', '.\n'))).toEqual(sorted(RECORD_KINDS))
  const doors = [...(/^\| `door` \|(.*)\|$/mu.exec(page)?.[1] ?? '').matchAll(/`(\w+)`/gu)]
  expect(sorted(doors.map(([, door]) => String(door)))).toEqual(sorted([...DOORS, 'null']))
})
