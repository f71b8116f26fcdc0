import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import { isRecordKind } from '../../domain/ids.ts'
import type { StackComponent } from '../../ports/component.ts'
import { HOOKS, type Hooks, type Member } from './component-calls.ts'

const NAME = /^[a-z][a-z0-9_-]{0,63}$/

/** Reads a component once: its name and hooks cannot change while registered. */
export function memberOf(component: StackComponent): Member {
  if (typeof component !== 'object' || component === null) {
    throw new MunimentError('invalid_input', 'A component is an object.')
  }
  const { name, version, required, needsInference, saves } = component
  const hooks = HOOKS.map((hook) => [hook, component[hook] as unknown] as const)
  const issues = [
    issue('name', isName(name), 'a-z, then a-z, 0-9, _ or -; and not what the stack is called'),
    issue('version', typeof version === 'string', 'expected a text'),
    issue('required', typeof required === 'boolean', 'expected true or false'),
    issue('needsInference', typeof needsInference === 'boolean', 'expected true or false'),
    issue('saves', saves === undefined || areKinds(saves), 'expected a list of kinds'),
    ...hooks.map(([hook, value]) =>
      issue(hook, value === undefined || typeof value === 'function', 'expected a function'),
    ),
  ].flat()
  if (issues.length > 0) {
    throw new MunimentError('invalid_input', 'That is no component.', { issues })
  }
  const bound = hooks.flatMap(([hook, value]) =>
    typeof value === 'function' ? [[hook, value.bind(component)] as const] : [],
  )
  return {
    name,
    component,
    isRequired: required,
    needsInference,
    saves: saves === undefined ? null : new Set(saves),
    hooks: Object.fromEntries(bound) as Hooks, // functions under their hook names
    overdue: new Set(),
  }
}

/** Reserved: the stack reports its own maintenance under this name. */
const STACK = 'stack'

const isName = (name: unknown): boolean =>
  typeof name === 'string' && NAME.test(name) && name !== STACK

const areKinds = (value: unknown): boolean => Array.isArray(value) && value.every(isRecordKind)

const issue = (path: string, isGood: boolean, message: string): readonly FieldIssue[] =>
  isGood ? [] : [{ path, message }]
