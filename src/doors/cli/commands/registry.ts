import type { Command } from '../spec/command.ts'

const OWN: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init.ts')).init,
  adopt: async () => (await import('./adopt.ts')).adopt,
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
  stacks: async () => (await import('./stacks.ts')).stacks,
}

export async function loadCommand(name: string): Promise<Command | undefined> {
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined
  if (own) return own()
  const { operationCommand } = await import('./operation.ts')
  return operationCommand(name)
}
