import { describe, expect, test } from 'vitest'
import { openApi } from '../../src/doors/http/openapi.ts'
import { OPERATIONS } from '../../src/operations/operations.ts'
import { outputSchemas } from '../../src/operations/output-schemas.ts'
import { outputSchemaOf } from '../../src/operations/tool.ts'
import { toolsOf } from '../../src/operations/tools.ts'

type Node = Readonly<Record<string, unknown>>

/** Every object within, itself first. */
function* nodesIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield node as Node
  for (const each of Object.values(node)) yield* nodesIn(each)
}

describe('what answers look like', () => {
  test('is told of every operation, and of nothing else', () => {
    expect(Object.keys(outputSchemas('#').of).sort()).toEqual(Object.keys(OPERATIONS).sort())
  })

  test('refers only to what is there, says what is in every list, and leaves room for more', () => {
    const { of, shared } = outputSchemas('#/components/schemas/')
    for (const node of nodesIn({ of, shared })) {
      expect(node).not.toHaveProperty('$schema')
      expect(node).not.toHaveProperty('$defs')
      if (node.type === 'array') expect(node).toHaveProperty('items')
      if (node.type === 'object') expect(node.additionalProperties).not.toBe(false)
      if (typeof node.$ref === 'string') {
        expect(Object.keys(shared)).toContain(node.$ref.replace('#/components/schemas/', ''))
      }
    }
    expect(shared).toMatchObject({ Memory: { required: expect.arrayContaining(['ref', 'id']) } })
  })

  test('stands in OpenAPI with every operation', () => {
    const { paths } = openApi('1') as { paths: Readonly<Record<string, { post?: Node }>> }
    for (const name of Object.keys(OPERATIONS)) {
      const { post } = paths[`/v1/stacks/{stack}/${name.replaceAll('_', '-')}`] ?? {}
      const [answer] = Object.values(Object(post?.responses)) as readonly {
        content?: { 'application/json': { schema: Node } }
      }[]
      expect(Object.keys(answer?.content?.['application/json'].schema ?? {}), name).not.toEqual([])
    }
  })

  test('is an object for every tool, with a type for every list that a strict client reads', () => {
    for (const { name, output } of toolsOf('full')) {
      const schema = outputSchemaOf(output)
      expect(schema.type, name).toBe('object')
      for (const node of nodesIn(schema)) {
        if (node.type === 'array') expect(node, name).toHaveProperty('items')
        expect(node, name).not.toHaveProperty('$ref')
      }
    }
    const audit = toolsOf('full').find(({ name }) => name === 'meta_audit')
    expect(audit && outputSchemaOf(audit.output)).toMatchObject({
      properties: { result: { properties: { ok: { type: 'boolean' } } } },
    })
  })
})
