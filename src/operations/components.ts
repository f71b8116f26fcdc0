import { z } from 'zod'
import { MunimentError, ScopeError } from '../domain/errors.ts'
import { shortText } from '../domain/kinds/fields.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { Stack } from '../stack.ts'
import { given } from './context.ts'
import { ref } from './fields.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { jsonText, oneLine } from './text/words.ts'

export const components = defineOperation({
  name: 'components',
  group: 'agent',
  summary: 'The components of this stack; with a name, the report of one.',
  right: 'read',
  input: () =>
    z.strictObject({
      name: shortText().optional().describe('A component, for example knowledge or metamemory.'),
      ref: ref().optional().describe('A memory, where the component can speak of one.'),
    }),
  output: () =>
    z.union([
      z.strictObject({
        components: shape.list(
          z.strictObject({
            name: shape.text,
            version: shape.text,
            required: z.boolean(),
            needsInference: z.boolean(),
            failing: shape.list(shape.text),
          }),
        ),
      }),
      z.strictObject({ name: shape.text, report: shape.open.nullable() }),
    ]),
  example: {},
  places: ['name', 'ref'],
  run: async ({ stack, caller }, { name, ref }): Promise<ComponentsAnswer> => {
    if (name === undefined) return { components: await componentsOf(stack) }
    if (caller.use === 'act') throw mixesTiers(name)
    return { name, report: await reportOf(stack, name, { ...given({ ref }) }) }
  },
  text: (answer, { page }) => componentsPage(answer, page),
})

export const health = defineOperation({
  name: 'health',
  group: 'agent',
  summary: 'Memory health, from calm to critical, and what would help.',
  right: 'read',
  input: () =>
    z.strictObject({
      contextTokens: z
        .int()
        .min(0)
        .optional()
        .describe('How much of its context a model has used.'),
      contextWindow: z.int().min(1).optional().describe('How much it has.'),
    }),
  output: () => z.strictObject({ health: shape.open.nullable() }),
  example: {},
  run: async ({ stack }, asked) => ({
    health: await reportOf(stack, 'anxiety', { ...given(asked) }),
  }),
  text: ({ health: found }, { page }) => healthPage(found, page),
})

const mixesTiers = (name: string): ScopeError =>
  new ScopeError(
    `The report of ${name} is withheld: this connection reads for act, and a report mixes words of every tier. Ask over a connection that reads for plan or chat.`,
  )

export interface ComponentState {
  readonly name: string
  readonly version: string
  readonly required: boolean
  readonly needsInference: boolean
  /** Hooks failing at the last look. */
  readonly failing: readonly string[]
}

type ComponentsAnswer =
  | { readonly components: readonly ComponentState[] }
  | { readonly name: string; readonly report: JsonObject | null }

async function componentsOf(stack: Stack): Promise<readonly ComponentState[]> {
  const failing = await stack.health.failingComponents()
  return Object.values(stack.components).map(({ name, version, required, needsInference }) => ({
    name,
    version,
    required,
    needsInference,
    failing: failing[name] ?? [],
  }))
}

async function reportOf(
  stack: Stack,
  name: string,
  question: JsonObject,
): Promise<JsonObject | null> {
  if (!(name in stack.components)) {
    throw new MunimentError('not_found', `There is no component ${name}.`, {
      hint: `There are: ${Object.keys(stack.components).join(', ')}.`,
    })
  }
  return stack.health.componentReport(name, question)
}

function healthPage(found: JsonObject | null, { ink }: Page): readonly string[] {
  if (found === null) return ['There is nothing to measure by yet.']
  const { level, score, dimensions, actions } = found
  const named = Object.entries(dimensions as Readonly<Record<string, number>>) // as the component reports
  const helps = actions as readonly { readonly what: string; readonly dimension: string }[]
  return [
    `${ink.strong(String(level))} (${score} of 100)`,
    ...table(named.map(([name, value]) => [{ text: `  ${name}` }, { text: String(value) }])),
    ...helps.map(({ what, dimension }) => `  ${oneLine(what)} ${ink.faint(dimension)}`),
  ]
}

function componentsPage(answer: ComponentsAnswer, { ink }: Page): readonly string[] {
  if (!('components' in answer)) {
    return answer.report === null
      ? [`${answer.name} has nothing to say.`]
      : [jsonText(answer.report)]
  }
  return table(
    answer.components.map(({ name, version, required, needsInference, failing }) => [
      { text: name },
      { text: version },
      {
        text: [required && 'required', needsInference && 'uses a model'].filter(Boolean).join(', '),
      },
      failing.length === 0
        ? { text: 'ok' }
        : { text: 'failing', shown: ink.bad(`fails in ${failing.join(', ')}`) },
    ]),
  )
}
