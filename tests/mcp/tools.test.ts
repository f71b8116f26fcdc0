import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src/operations/tool.ts'
import { inputSchemaOf, outputSchemaOf } from '../../src/operations/tool.ts'
import { toolsOf } from '../../src/operations/tools.ts'

const TOKENS_MAX = 2_500
const CHARS_PER_TOKEN = 4

const wire = ({ name, title, description, input, output }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchemaOf(input),
  outputSchema: outputSchemaOf(output),
})

/** The default set is listed without output schemas. */
const listed = (tool: Tool) => {
  const { outputSchema: _, ...rest } = wire(tool)
  return rest
}

/** Keywords that every client takes; anything else has made some client drop the whole list. */
const KEYWORDS = [
  'additionalProperties',
  'default',
  'description',
  'enum',
  'items',
  'maximum',
  'minimum',
  'properties',
  'required',
  'type',
]

interface Node {
  readonly type?: unknown
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
}

function nodesOf(node: Node): readonly Node[] {
  const below = [...Object.values(node.properties ?? {}), ...(node.items ? [node.items] : [])]
  return [node, ...below.flatMap(nodesOf)]
}

describe('the table of tools', () => {
  test('shows by default what the seeds name, in this order', () => {
    expect(toolsOf('default').map(({ name }) => name)).toEqual([
      'memory_raw',
      'memory_episode',
      'memory_note',
      'memory_belief',
      'memory_claim',
      'memory_search',
      'memory_load',
      'memory_ask',
      'memory_history',
      'meta_lineage',
      'meta_verify',
      'memory_forget',
      'meta_uncertain',
      'meta_review',
    ])
    for (const { name } of toolsOf('full')) expect(name).toMatch(/^(?:memory|meta)_[a-z_]+$/) // as hooks know them
    const full = toolsOf('full').map(({ name }) => name)
    for (const { name } of toolsOf('default')) expect(full).toContain(name)
  })

  test('costs a model no more than it should', () => {
    const text = toolsOf('default').map((tool) => JSON.stringify(listed(tool)))
    const tokens = text.join('').length / CHARS_PER_TOKEN
    expect(tokens).toBeLessThanOrEqual(TOKENS_MAX)
    expect(tokens).toBeGreaterThan(TOKENS_MAX / 10) // the measure measures something
  })

  test.each(toolsOf('full').map((tool) => [tool.name, tool] as const))(
    '%s has schemas that strict clients take',
    (_, tool) => {
      const { inputSchema, outputSchema } = wire(tool)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      for (const node of [inputSchema, outputSchema].flatMap((root) => nodesOf(root as Node))) {
        expect(KEYWORDS).toEqual(expect.arrayContaining(Object.keys(node)))
        expect(typeof node.type, JSON.stringify(node)).toBe('string')
        if (node.type === 'array') expect(node.items, JSON.stringify(node)).toBeDefined()
      }
    },
  )

  test('defaults are the seed’s', () => {
    const uncertain = toolsOf('default').find(({ name }) => name === 'meta_uncertain')
    expect(uncertain?.input.parse({})).toMatchObject({ threshold: 0.5, apply_decay: true })
  })
})
