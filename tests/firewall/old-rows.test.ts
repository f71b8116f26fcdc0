import path from 'node:path'
import { expect, test } from 'vitest'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { openStack } from '../../src/index.ts'
import { scratch } from '../cli/support/scratch.ts'
import { cell, vandaliseNeatly } from '../sqlite/support/raw.ts'
import { at } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const OLD = new URL('../ledger/vectors/rewordings-folded.bundle', import.meta.url)
/** The version of the tables before a link was a ref by itself. */
const BEFORE_LINKS = 17
const LINE = { subject: 'user', predicate: 'theme' }

const restored = (home: string) => restoreStack('demo', { from: OLD.pathname, home })

holds(
  ['FIREWALL-ECHO', 'FIREWALL-UNLINK'],
  'a ledger with folded, overruled and silenced rewordings opens, folds and audits',
  async () => {
    const stack = await restored(scratch())
    expect((await stack.ledger.audit()).problems).toEqual([])
    // The claim was silenced when it was written; today a link silences nothing.
    const answer = await stack.claims.ask(LINE)
    expect(answer).toMatchObject({ standing: 'held', value: 'dark mode and a quiet theme' })
    const [claim] = answer.claims
    expect((await stack.getMemory('claim', String(claim?.ref).slice(6)))?.rewordingOf).toMatch(
      /^note:/,
    )
    expect(await stack.review.list({ kinds: ['proposal'] })).toEqual([])
    // Words of folded drafts go with whoever handed them in.
    await stack.erasure.erase({ actor: 'ModelDerived' }, { derived: 'list' })
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  },
)

/** Rows as an older version wrote them: the link inside a mark, and again in the claim. */
const OLDER = `
  UPDATE memories SET marks = json_set(
      json_remove(marks, '$.rewordingOf'), '$.claim.phrasingOf', marks ->> '$.rewordingOf',
      '$.echo', json_object('of', marks ->> '$.rewordingOf', 'folded', json('[]'), 'leftAt', 0)),
    review = 'echo'
    WHERE kind = 'claim' AND marks ->> '$.rewordingOf' IS NOT NULL;
  UPDATE memories SET marks = json_set(
      json_remove(marks, '$.rewordingOf'),
      '$.echo', json_object('of', marks ->> '$.rewordingOf', 'folded', json('[7]'), 'leftAt', 0))
    WHERE kind = 'note' AND marks ->> '$.rewordingOf' IS NOT NULL;
  ALTER TABLE stack_state DROP COLUMN received;
  PRAGMA user_version = ${BEFORE_LINKS};`

test('rows of an older version are brought to one link each, and no review item is left', async () => {
  const home = scratch()
  const first = await restored(home)
  await first.close()
  const file = path.join(home, 'stacks', 'demo.db')
  vandaliseNeatly(file, OLDER)
  const count = (mark: string) =>
    cell(file, `SELECT count(*) FROM memories WHERE marks LIKE '%${mark}%'`)
  expect([count('"echo":'), count('"phrasingOf":')].map(Number)).toEqual([2, 1])
  const stack = await openStack('demo', { home })
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect((await stack.review.list()).map(({ kind }) => kind)).toEqual([])
  expect(await stack.claims.ask({ ...LINE, caller: at('lib') })).toMatchObject({ standing: 'held' })
  await stack.close()
  expect([count('"echo":'), count('"phrasingOf":')].map(Number)).toEqual([0, 0])
})
