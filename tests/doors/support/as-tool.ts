import { isKind } from '../../../src/domain/ids.ts'
import type { OperationName } from '../../../src/operations/operations.ts'
import { snake } from '../../../src/operations/tool.ts'
import { toolsOf } from '../../../src/operations/tools.ts'
import type { Input } from './doors.ts'

/** What an operation answers with, as far as the tool that does it tells: the same of both. */
type Telling = (value: unknown) => unknown

interface AsTool {
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly told: (structured: Input) => unknown
}

const snaked = (input: Input): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([field, value]) => [snake(field), value]))

interface Special {
  readonly tool: string
  readonly arguments?: (input: Input) => Record<string, unknown>
  readonly ofTool: (structured: Input) => unknown
  readonly ofOperation: Telling
}

type Rows = readonly Input[]

const refs = (rows: unknown): readonly unknown[] => (rows as Rows).map(({ ref }) => ref)
const memoryRefs = (rows: unknown): readonly unknown[] =>
  (rows as readonly { memory: Input }[]).map(({ memory }) => memory.ref)

const askedOf = ({ predicate, standing }: Input) => ({ predicate, standing })

/** Tools of the default set speak a model's words; these are what both sides say. */
const SPECIAL: Readonly<Partial<Record<OperationName, Special>>> = {
  search: {
    tool: 'memory_search',
    ofTool: ({ results }) => refs(results),
    ofOperation: (found) =>
      (found as readonly { metadata: Input }[]).map(({ metadata }) => metadata.ref),
  },
  load: {
    tool: 'memory_load',
    ofTool: ({ items }) => refs(items).toSorted(),
    ofOperation: (loaded) => {
      const { _meta, ...shelves } = loaded as Readonly<Record<string, unknown>>
      return Object.values(shelves)
        .filter((shelf) => Array.isArray(shelf))
        .flatMap(memoryRefs)
        .toSorted()
    },
  },
  ask: {
    tool: 'memory_ask',
    ofTool: ({ answers }) => (answers as Rows).map(askedOf),
    ofOperation: (found) => [found].flat().map((answer) => askedOf(answer as Input)),
  },
  timeline: {
    tool: 'memory_history',
    ofTool: ({ claims }) => refs(claims),
    ofOperation: refs,
  },
  verify: {
    tool: 'meta_verify',
    arguments: ({ ref, evidence }) => ({ memory_id: ref, evidence }),
    ofTool: ({ ref, verified }) => ({ ref, verified }),
    ofOperation: (changed) => {
      const { ref, changed: verified } = changed as Input
      return { ref, verified }
    },
  },
  forget: {
    tool: 'memory_forget',
    arguments: ({ ref, reason }) => ({ memory_id: ref, reason }),
    ofTool: ({ ref, forgotten }) => ({ ref, forgotten }),
    ofOperation: (changed) => {
      const { ref, changed: forgotten } = changed as Input
      return { ref, forgotten }
    },
  },
  uncertain: {
    tool: 'meta_uncertain',
    ofTool: ({ items }) => refs(items),
    ofOperation: memoryRefs,
  },
  review: { tool: 'meta_review', ofTool: ({ items }) => refs(items), ofOperation: refs },
}

const WRITTEN: Telling = (value) => {
  const { ref, id, tier, disposition, rule, captures, captured, version } = value as Input
  return { ref, id, tier, disposition, rule, captured: captured ?? captures, version }
}

export function asTool(name: OperationName, input: Input): AsTool {
  const special = SPECIAL[name]
  if (special) {
    const given = (special.arguments ?? snaked)(input)
    return { name: special.tool, arguments: given, told: special.ofTool }
  }
  if (isKind(name)) return { name: `memory_${name}`, arguments: snaked(input), told: WRITTEN }
  const tool = toolsOf('full').find(({ operation }) => operation === name)
  if (!tool) throw new Error(`${name} is no tool`)
  return { name: tool.name, arguments: snaked(input), told: ({ result }) => result }
}

/** Answers that are no objects stand in one. */
function wrapped(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value }
  if (typeof value === 'string') return { text: value }
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== null) // said by leaving it out
  return Object.fromEntries(members)
}

/** An answer as the tool for it would tell it. */
export const tellingOf = (name: OperationName): Telling =>
  SPECIAL[name]?.ofOperation ?? (isKind(name) ? WRITTEN : wrapped)
