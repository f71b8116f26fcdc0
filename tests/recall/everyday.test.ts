import { expect, test } from 'vitest'
import { BESIDE, EVERYDAY, foundAmongFirst } from '../../bench/recall/everyday.ts'
import { label } from '../../src/index.ts'
import { freshEntity } from '../stack/support.ts'

const SHARE_MIN = 0.75

test('a question that names a kind finds a memory that names a thing of that kind', async () => {
  const { me, stack } = await freshEntity()
  const said = { label: label.userAsserted() }
  for (const { answer } of EVERYDAY) await me.note(answer, said)
  for (const text of BESIDE) await me.note(text, said)
  const { share, missed } = await foundAmongFirst(async (question) =>
    (await stack.search(question)).map(({ content }) => content),
  )
  expect(share, missed.join('\n')).toBeGreaterThanOrEqual(SHARE_MIN)
})
