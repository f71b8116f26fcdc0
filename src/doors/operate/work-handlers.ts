import { MunimentError, ScopeError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { working as operations } from '../../operations/working.ts'
import type { Stack } from '../../stack.ts'
import { given, type Handlers } from './context.ts'

export const workHandlers = {
  process: ({ stack, actor }, { calls, tokens, ...options }: InputOf<'process'>) =>
    stack.review.process({ ...given(options), actor, budget: given({ calls, tokens }) }),
  anxiety: async ({ stack }, told: InputOf<'anxiety'>) => ({
    anxiety: await reportOf(stack, 'anxiety', { ...given(told) }),
  }),
  components: async (
    { stack, caller },
    { name, ref }: InputOf<'components'>,
  ): Promise<ComponentsAnswer> => {
    if (name === undefined) return { components: await componentsOf(stack) }
    if (caller.use === 'act') throw mixesTiers(name)
    return { name, report: await reportOf(stack, name, { ...given({ ref }) }) }
  },
  begin: ({ stack, caller, actor }, { name, why }: InputOf<'begin'>) =>
    stack.epochs.begin(name, { ...given({ triggerDescription: why }), caller, actor }),
  conclude: ({ stack, caller, actor }, { summary }: InputOf<'conclude'>) =>
    stack.epochs.end({ ...given({ summary }), caller, actor }),
  use: ({ stack, caller, actor }, { ref, failed, episode }: InputOf<'use'>) =>
    stack.epochs.usePlaybook(ref, { hasSucceeded: !failed, ...given({ episode }), caller, actor }),
} satisfies Handlers<keyof typeof operations>

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

export type ComponentsAnswer =
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
