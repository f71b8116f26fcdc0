import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readProjectFile } from '../support/project-files.ts'
import { replayed } from './support/console-session.ts'
import { PAGES, samplesOf } from './support/samples.ts'

/** With MUNIMENT_WRITE_SAMPLES=1 the run writes what the commands print into the pages. */
const WRITES = process.env.MUNIMENT_WRITE_SAMPLES === '1'

const SHOWN = PAGES.filter(
  (page) => page !== 'docs/adopt.md' && samplesOf(page, 'console').length > 0, // adopt has its own files
)

test('the README and the first guide show the program at work', () => {
  expect(SHOWN).toEqual(expect.arrayContaining(['README.md', 'docs/getting-started.md']))
})

test.each(SHOWN)(
  'the commands of %s print what the page says, ids and dates apart',
  async (page) => {
    const blocks = samplesOf(page, 'console').map(({ code }) => code)
    const now = await replayed(blocks)
    if (!WRITES) return expect(now).toEqual(blocks)
    const text = blocks.reduce(
      (whole, block, at) => whole.replace(block, () => now[at] ?? ''),
      readProjectFile(page),
    )
    writeFileSync(path.join(ROOT, page), text)
  },
)
