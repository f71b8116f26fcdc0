import { type GroupName, isGroup, typedAs } from '../../../operations/command-groups.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'
import { kebab } from '../spec/names.ts'
import { nearest } from '../suggest.ts'
import { TOPICS } from '../topics.ts'

const OWN: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init.ts')).init,
  adopt: async () => (await import('./adopt.ts')).adopt,
  blame: async () => (await import('./blame.ts')).blame,
  backup: async () => (await import('./store-commands.ts')).backup,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  move: async () => (await import('./store-commands.ts')).move,
  migrate: async () => (await import('./store-commands.ts')).migrate,
  restore: async () => (await import('./restore.ts')).restore,
  rebuild: async () => (await import('./store-commands.ts')).rebuild,
  vacuum: async () => (await import('./store-commands.ts')).vacuum,
  check: async () => (await import('./check.ts')).check,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor.ts')).doctor,
  token: async () => (await import('./token.ts')).token,
  completion: async () => (await import('./completion.ts')).completion,
  demo: async () => (await import('./demo.ts')).demo,
  serve: async () => (await import('./serve.ts')).serve,
  mcp: async () => (await import('./mcp.ts')).mcp,
  hook: async () => (await import('./hook.ts')).hook,
  captures: async () => (await import('./captures.ts')).captures,
  setup: async () => (await import('./setup.ts')).setup,
  sync: async () => (await import('./sync.ts')).sync,
  stacks: async () => (await import('./stacks.ts')).stacks,
}

/** The own word of every command. */
async function commandNames(): Promise<readonly string[]> {
  const { operationNames } = await import('../../../operations/catalog.ts')
  return [...new Set([...Object.keys(OWN), ...operationNames.map(kebab)])]
}

/** A command by its own word, wherever a person types the command. */
async function loadCommand(name: string): Promise<Command | undefined> {
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined
  if (own) return own()
  const { operationCommand } = await import('./operation.ts')
  return operationCommand(name)
}

/** Every command, in the order of the registry. */
export async function allCommands(): Promise<readonly Command[]> {
  const all = await Promise.all((await commandNames()).map(loadCommand))
  return all.filter((command) => command !== undefined)
}

/** The commands of a group. */
export const commandsIn = async (group: GroupName): Promise<readonly Command[]> =>
  (await allCommands()).filter((command) => command.group === group)

/** Typed words as a command and its arguments, or as a group alone. */
export type Typed =
  | { readonly command: Command; readonly args: readonly string[] }
  | { readonly group: GroupName }

/** Throws for words that name neither, with the words that are probably meant. */
export async function findCommand(words: readonly string[]): Promise<Typed> {
  const [first = '', second, ...rest] = words
  if (!isGroup(first)) {
    const command = await loadCommand(first)
    if (command && !isGroup(command.group)) return { command, args: words.slice(1) }
    throw await unknownCommand(first, first)
  }
  if (second === undefined || second.startsWith('-')) return { group: first }
  const command = await loadCommand(second)
  if (command?.group === first) return { command, args: rest }
  throw await unknownCommand(`${first} ${second}`, second)
}

/** Words that people try first, with the words to type. */
const ALSO_SAID: Readonly<Record<string, string>> = {
  accept: 'review',
  dismiss: 'review',
  reject: 'review',
  suggestions: 'review',
  tag: 'memory describe',
  find: 'search',
  get: 'show',
  add: 'note',
  remember: 'claim',
  delete: 'forget',
  remove: 'forget',
}

async function unknownCommand(said: string, word: string) {
  const meant = await meantBy(word)
  const guess = meant === undefined ? '' : `Did you mean: muniment ${meant}? `
  return usageError(`There is no command “${said}”.`, `${guess}All of them: muniment help`)
}

async function meantBy(word: string): Promise<string | undefined> {
  if (Object.hasOwn(ALSO_SAID, word)) return ALSO_SAID[word]
  const near = nearest(word, [...(await commandNames()), ...Object.keys(TOPICS)])
  if (near === undefined) return undefined
  if (Object.hasOwn(TOPICS, near)) return `help ${near}`
  const command = await loadCommand(near)
  return command && typedAs(command.name, command.group)
}
