import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CARD_SESSION } from '../../src/adopt/batches.ts'
import { FORMATS } from '../../src/adopt/formats/table.ts'
import { sourcesAt } from '../../src/adopt/source.ts'
import { exportMemories, OUT_FORMATS } from '../../src/adopt/write/export.ts'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { scratch } from '../cli/support/scratch.ts'
import { adoptOne, freshStack, memoriesOf, PERSON } from './support/scene.ts'
import { plain, SHAPES } from './support/shapes.ts'

const BY = { caller: PERSON, actor: 'tester' }
const NOW = '2026-01-01T00:00:00.000Z'

test('every format has a shape, apart from the folder that we write ourselves', () => {
  const shaped = new Set([...SHAPES.map(({ format }) => format), 'muniment'])
  expect([...shaped].toSorted()).toEqual(FORMATS.map(({ name }) => name).toSorted())
})

test.for(SHAPES)(
  'any texts as $format, $file, come in once each, go out in every shape, and come in as nothing new',
  async ({ format, file, texts, wording = (text) => text, write }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(texts, { minLength: 1, maxLength: 7, selector: plain }),
        async (given) => {
          const [folder, out] = [scratch(), scratch()]
          const place = path.join(folder, file)
          write(place, given)
          const source = format === 'obsidian' ? folder : place
          const { sources } = await sourcesAt(source)
          expect(sources.map((each) => each.format.name)).toEqual([format])
          const stack = await freshStack()
          const first = await adoptOne(stack, source)
          const all = { records: given.length, repeated: 0, bad: 0, refused: 0 }
          expect(first).toMatchObject({ ...all, taken: given.length })
          // The words stand in raw captures exactly as the source has them, none lost, none twice.
          const memories = await memoriesOf(stack)
          const raw = memories.filter(({ kind, provenance }) => {
            return kind === 'raw' && provenance.session !== CARD_SESSION
          })
          const kept = raw.map(({ body }) => (body as { readonly content: string }).content)
          expect(kept.toSorted()).toEqual(given.map(wording).toSorted())
          expect(await adoptOne(stack, source)).toMatchObject({ ...all, here: given.length })
          for (const shape of OUT_FORMATS) {
            const to = path.join(out, `${shape}${shape === 'markdown' ? '' : '.json'}`)
            await exportMemories(stack, { to, format: shape, by: BY, exportedAt: NOW })
            expect(await adoptOne(stack, to), shape).toMatchObject({ ...all, here: given.length })
          }
          expect(await memoriesOf(stack)).toEqual(memories)
          const from = path.join(out, 'whole.bundle')
          await stack.export(from, { format: 'bundle' })
          const options = { store: new MemoryStore(), ...fakeWorld(2), from }
          const copy = await restoreStack('adopted', options)
          expect(await adoptOne(copy, source)).toMatchObject({ ...all, here: given.length })
          const refs = memories.map(({ ref }) => ref)
          expect((await memoriesOf(copy)).map(({ ref }) => ref)).toEqual(refs)
        },
      ),
      { numRuns: 10 },
    )
  },
)
