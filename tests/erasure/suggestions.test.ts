import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { identityParts } from '../../src/domain/kinds/content.ts'
import { Entity, label, openStack } from '../../src/index.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { fromHex } from '../../src/ledger/sha256.ts'
import { holds } from '../support/holds.ts'
import { foundIn, spellingsOf, spellingsOfBytes } from './scan.ts'

const IN_EVERY_FORM = 'wickelfarb' // whatever case and ending an index gives it

async function fresh() {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-suggested-'))
  const stack = await openStack('demo', { path: join(folder, 'demo.db'), home: folder })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw('We talked about colours')
  const note = await me.note('A talk on colours', { derivedFrom: [raw.ref] })
  const left = () => foundIn(folder, spellingsOf(IN_EVERY_FORM))
  const suggest = (statement: string) =>
    stack.write({
      kind: 'suggestion',
      body: {
        memoryType: 'belief',
        content: { statement },
        confidence: 0.8,
        sourceRefs: [note.ref],
      },
      provenance: {
        sourceType: 'inference',
        label: label.modelDerived(),
        sourceId: 'my-agent',
        ingestionPath: 'lib:test',
        confidence: 0.8,
        llmModel: 'a model',
      },
    })
  const digestOf = (body: object) =>
    fromHex(contentHash(nodeSha256, identityParts('belief', body as never)))
  return { stack, me, folder, raw, note, left, suggest, digestOf }
}

holds('ERASE-BYTES', 'the suggestion that a memory came from goes with it', async () => {
  const { stack, left, suggest } = await fresh()
  const suggested = await suggest('Her secret colour is Zwickelfarbe')
  const id = await stack.acceptSuggestion(String(suggested.id), null, {
    label: label.userAsserted(),
  })
  const belief = `belief:${id}`
  expect((await stack.erasure.plan(belief)).refs).toContain(suggested.ref)
  const gone = await stack.erasure.erase(belief)
  expect(gone.erased).toEqual(expect.arrayContaining([belief, suggested.ref]))
  expect(left()).toEqual([])
  expect((await stack.ledger.audit()).problems).toEqual([])
  await stack.close()
})

holds('ERASE-BYTES', 'what was suggested or refused on its ground is derived from it', async () => {
  const { stack, me, raw, note, left, suggest } = await fresh()
  const suggested = await suggest('Her secret colour is Zwickelfarbe')
  const refused = await me
    .belief('Zwickelfarbe is the password of...', { derivedFrom: [note.ref] })
    .then(
      () => null,
      (error: { readonly facts: { readonly suggestion: string } }) => error.facts.suggestion,
    )
  // Two suggestions of one millisecond come in the random order of their ids.
  const plan = await stack.erasure.plan(raw.ref)
  expect(plan.refs).toEqual([raw.ref])
  expect([...plan.derived].sort()).toEqual([note.ref, suggested.ref, refused].sort())
  const gone = await stack.erasure.erase(raw.ref, { derived: 'erase' })
  expect([...gone.erased].sort()).toEqual([raw.ref, note.ref, suggested.ref, refused].sort())
  expect(gone.derived).toEqual([])
  expect(left()).toEqual([])
  expect((await stack.ledger.audit()).problems).toEqual([])
  await stack.close()
})

holds('ERASE-BYTES', 'what a suggestion became is derived from it', async () => {
  const { stack, suggest } = await fresh()
  const suggested = await suggest('Her colour is Zwickelfarbe')
  const id = await stack.acceptSuggestion(String(suggested.id), null, {
    label: label.userAsserted(),
  })
  const gone = await stack.erasure.erase(String(suggested.ref))
  expect(gone.derived).toContain(`belief:${id}`)
  await stack.close()
})

holds(
  'ERASE-BYTES',
  'words that were refused leave no digest that could be guessed at',
  async () => {
    const { stack, me, note, digestOf, folder } = await fresh()
    const words = 'Zwickelfarbe is the password of...'
    const write = me.belief(words, { derivedFrom: [note.ref] })
    const refused = await write.then(
      () => '',
      (error: { readonly facts: { readonly suggestion: string } }) => error.facts.suggestion,
    )
    const spellings = spellingsOfBytes(digestOf({ statement: words }))
    expect(foundIn(folder, spellings)).toEqual([])
    await stack.erasure.erase(refused)
    expect(foundIn(folder, spellings)).toEqual([])
    await stack.close()
  },
)
