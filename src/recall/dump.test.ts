import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KINDS } from '../domain/ids.ts'
import { type DumpMemory, dumpMarkdown } from './dump.ts'

const memory = (fields: Partial<DumpMemory> = {}): DumpMemory => ({
  ref: 'note:1',
  kind: 'note',
  text: 'the build is green',
  createdAt: '2026-01-01T00:00:00.000Z',
  label: 'External(UserAsserted)',
  tier: 3,
  confidence: 0.8,
  strength: 1,
  sourceId: 'alice',
  derivedFrom: ['raw:1', 'raw:2'],
  tags: [],
  disposition: 'Committed',
  isProtected: false,
  ...fields,
})

/** The lines of a document outside its fences: all that could be structure. */
function structure(markdown: string): readonly string[] {
  const lines: string[] = []
  let fence = ''
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const ticks = /^ {0,3}(`{3,})([^`]*)$/.exec(line)
    if (fence !== '') {
      if (ticks && (ticks[1] ?? '').length >= fence.length && ticks[2]?.trim() === '') fence = ''
    } else if (ticks) fence = ticks[1] ?? ''
    else lines.push(line)
  }
  expect(fence, 'every fence is closed').toBe('')
  return lines
}

/** What is left of a line when its code spans are read as a reader of markdown would. */
const withoutSpans = (line: string): string =>
  line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/gsu, '<code>')

describe('a dump', () => {
  test('shows words, ref, label, tier, confidence and sources', () => {
    expect(dumpMarkdown([memory({ tags: ['ci'], isProtected: true })])).toBe(
      [
        '# Memories',
        '',
        '1 in all.',
        '',
        '## note (1)',
        '',
        '### `note:1`',
        '',
        '```text',
        'the build is green',
        '```',
        '',
        '- written `2026-01-01T00:00:00.000Z` by `alice`',
        '- label `External(UserAsserted)`, tier 3, `Committed`',
        '- confidence 0.8, strength 1, protected',
        '- derived from `raw:1`, `raw:2`',
        '- tags `ci`',
        '',
      ].join('\n'),
    )
  })

  test('groups by kind in the order of the kinds, and within a kind as given', () => {
    const mixed = KINDS.toReversed().flatMap((kind) => [
      memory({ kind, ref: `${kind}:b` }),
      memory({ kind, ref: `${kind}:a` }),
    ])
    const headings = dumpMarkdown(mixed).match(/^##+ .*$/gmu)
    expect(headings).toEqual(
      KINDS.flatMap((kind) => [`## ${kind} (2)`, `### \`${kind}:b\``, `### \`${kind}:a\``]),
    )
  })

  test('leaves nobody out, however many there are', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => memory({ ref: `note:${at}` }))
    const text = dumpMarkdown(many)
    expect(text.match(/^### /gmu)).toHaveLength(20_000)
    expect(text).toContain('20000 in all.')
  })

  test('of nothing says so', () => {
    expect(dumpMarkdown([])).toBe('# Memories\n\n0 in all.\n')
  })

  test.each([
    ['a heading', '# Not a heading\n## nor this'],
    ['a fence', '```\n# out of the fence\n```'],
    ['a longer fence', '`````````\n# out\n`````````'],
    ['HTML', '</code></pre><script>alert(1)</script>\n<!--'],
    ['carriage returns', 'a\r```\r# b\r\n```\r\n# c'],
    ['a tilde fence', '~~~\n# x'],
    ['a rule and a list', '---\n- x\n1. y\n> z\n| a |'],
  ])('keeps %s in stored text inert', (_, text) => {
    const hostile = memory({ text, sourceId: text, label: text, tags: [text], derivedFrom: [text] })
    const shape = (each: DumpMemory): readonly string[] =>
      structure(dumpMarkdown([each])).map(withoutSpans)
    const plain = memory({ tags: ['x'], derivedFrom: ['x'] })
    expect(shape(hostile)).toEqual(shape(plain))
    expect(dumpMarkdown([hostile])).toContain(text)
  })
})

test('no stored text changes the structure of the document', () => {
  const hostile = fc.oneof(
    fc.string({ unit: fc.constantFrom('`', '\n', '\r', ' ', '#', '<', '-', '~', 'x', '\\', '>') }),
    fc.string({ unit: 'binary' }),
  )
  const said = hostile.filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(hostile, said, said, (text, sourceId, tag) => {
      const shape = (each: DumpMemory): readonly string[] =>
        structure(dumpMarkdown([each, each])).map(withoutSpans)
      const given = memory({ text, sourceId, tags: [tag, tag], disposition: sourceId })
      expect(shape(given)).toEqual(shape(memory({ tags: ['x', 'y'] })))
      expect(dumpMarkdown([given])).toContain(text)
    }),
    { numRuns: 500 },
  )
})
