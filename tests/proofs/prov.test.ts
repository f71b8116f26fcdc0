import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ProvDocument } from '../../src/recall/prov.ts'
import { smallFamily } from '../life/support.ts'
import { dataFolder, titleWithData } from '../support/data.ts'

/** Which attributes of a relation name something, and in which sections that must stand. */
const NAMES: Readonly<Record<string, readonly (keyof ProvDocument)[]>> = {
  'prov:entity': ['entity'],
  'prov:generatedEntity': ['entity'],
  'prov:usedEntity': ['entity'],
  'prov:plan': ['entity'],
  'prov:activity': ['activity'],
  'prov:agent': ['agent'],
}

const RELATIONS = [
  'wasGeneratedBy',
  'used',
  'wasDerivedFrom',
  'wasAttributedTo',
  'wasAssociatedWith',
] as const

/** PROV-CONSTRAINTS as far as a log can break them: names are there, nothing is used before it is. */
function problemsOf(document: ProvDocument): readonly string[] {
  const problems: string[] = []
  for (const relation of RELATIONS) {
    for (const [id, attributes] of Object.entries(document[relation])) {
      for (const [name, sections] of Object.entries(NAMES)) {
        const value = attributes[name]
        if (value === undefined) continue
        if (!sections.some((section) => Object.hasOwn(document[section], String(value)))) {
          problems.push(`${relation} ${id}: ${name} ${value} is not there`)
        }
      }
    }
  }
  const born = new Map(
    Object.values(document.wasGeneratedBy).map((row) => [
      row['prov:entity'],
      String(row['prov:time']),
    ]),
  )
  for (const row of Object.values(document.used)) {
    const made = born.get(row['prov:entity']) ?? ''
    if (made > String(row['prov:time'])) problems.push(`${row['prov:entity']} is used before it is`)
  }
  return problems
}

describe('PROV-JSON', () => {
  test('of a memory holds its lineage, each part named, nothing used before it was', async () => {
    const { stack, raw, episode, belief } = await smallFamily()
    const document = await stack.ledger.prov(belief)
    expect(problemsOf(document)).toEqual([])
    const refs = Object.values(document.entity).flatMap((each) => each['mun:ref'] ?? [])
    expect(refs.sort()).toEqual([raw, episode, belief].sort())
    expect(Object.keys(document.wasDerivedFrom)).toHaveLength(2)
    expect(JSON.stringify(document)).not.toContain('Migrations go')
  })

  test('of a whole stack says which belief took the place of which', async () => {
    const { stack, belief } = await smallFamily()
    await stack.changes.supersede(belief, 'Migrations go first, except for new tables')
    const document = await stack.ledger.prov()
    expect(problemsOf(document)).toEqual([])
    const revisions = Object.values(document.wasDerivedFrom).filter((row) => row['prov:type'])
    expect(revisions).toMatchObject([{ 'prov:usedEntity': expect.stringContaining('belief') }])
  })

  const folder = dataFolder('vectors/prov-json')
  test.skipIf(folder === undefined)(
    titleWithData('uses the words that others use', folder),
    async () => {
      const words = new Set<string>()
      for (const file of readdirSync(folder ?? '')) {
        const text = readFileSync(join(folder ?? '', file), 'utf8')
        for (const [word] of text.matchAll(/"prov:[A-Za-z]+"/g)) words.add(word)
        for (const key of Object.keys(JSON.parse(text))) words.add(key)
      }
      const { stack } = await smallFamily()
      const document = await stack.ledger.prov()
      for (const section of ['entity', 'activity', 'agent', 'used', 'wasAssociatedWith'] as const) {
        expect(Object.keys(document[section]).length, section).toBeGreaterThan(0)
      }
      const { used, wasAssociatedWith } = document
      for (const row of [...Object.values(used), ...Object.values(wasAssociatedWith)]) {
        for (const key of Object.keys(row)) expect(words, key).toContain(`"${key}"`)
      }
    },
  )
})
