import path from 'node:path'
import { HOOKS, type Hook } from '../hook/event.ts'
import { isMembers, type Members } from './json-file.ts'

export const SCOPES = ['project', 'user'] as const
export type Scope = (typeof SCOPES)[number]

/** How a client starts this program. */
export interface Launcher {
  readonly command: string
  /** What stands before the name of the command. */
  readonly args: readonly string[]
  /** What stands behind it: the stack and the home, where they are not the usual ones. */
  readonly options: readonly string[]
}

export interface Places {
  readonly home: string
  readonly folder: string
}

/** Where Claude Code looks for servers and for hooks. */
export const serverFile = (scope: Scope, { home, folder }: Places): string =>
  scope === 'user' ? path.join(home, '.claude.json') : path.join(folder, '.mcp.json')

export const hooksFile = (scope: Scope, { home, folder }: Places): string =>
  path.join(scope === 'user' ? home : folder, '.claude', 'settings.json')

const SERVER = 'muniment'

const EVENTS: Readonly<Record<Hook, string>> = {
  prompt: 'UserPromptSubmit',
  tool: 'PostToolUse',
  start: 'SessionStart',
  compact: 'PreCompact',
  end: 'SessionEnd',
}

const TIMEOUT_S = 10 // after which the client goes on without us

const membersIn = (of: Members, name: string): Members => {
  const found = of[name]
  return isMembers(found) ? found : {}
}

export function withServer(settings: Members, { command, args, options }: Launcher): Members {
  const server = { type: 'stdio', command, args: [...args, 'mcp', ...options] }
  return { ...settings, mcpServers: { ...membersIn(settings, 'mcpServers'), [SERVER]: server } }
}

export function withoutServer(settings: Members): Members {
  const { [SERVER]: _, ...others } = membersIn(settings, 'mcpServers')
  return withMember(settings, 'mcpServers', others)
}

export function withHooks(settings: Members, launcher: Launcher): Members {
  const cleared = membersIn(withoutHooks(settings), 'hooks')
  const hooks: Record<string, unknown> = { ...cleared }
  for (const hook of HOOKS) {
    const event = EVENTS[hook]
    const there = cleared[event]
    hooks[event] = [...(Array.isArray(there) ? there : []), groupFor(hook, launcher)]
  }
  return { ...settings, hooks }
}

function groupFor(hook: Hook, { command, args, options }: Launcher): Members {
  const line = [command, ...args, 'hook', hook, ...options].map(shellWord).join(' ')
  const matcher = hook === 'tool' ? { matcher: '*' } : {}
  return { ...matcher, hooks: [{ type: 'command', command: line, timeout: TIMEOUT_S }] }
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

const OURS =
  /(?:muniment|doors[\\/]cli[\\/]bin\.[jt]s)'?(?: \S+)*? hook (?:prompt|tool|start|compact|end)\b/

/** Takes out what is ours and leaves everybody else's as it is, also inside the same group. */
export function withoutHooks(settings: Members): Members {
  const hooks = Object.entries(membersIn(settings, 'hooks')).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [[event, groups] as const]
    const left = groups.flatMap(withoutOurs)
    return left.length === 0 && groups.length > 0 ? [] : [[event, left] as const]
  })
  return withMember(settings, 'hooks', Object.fromEntries(hooks))
}

function withoutOurs(group: unknown): readonly unknown[] {
  if (!isMembers(group) || !Array.isArray(group.hooks)) return [group]
  const left = group.hooks.filter((each) => !isOurs(each))
  if (left.length === group.hooks.length) return [group]
  return left.length === 0 ? [] : [{ ...group, hooks: left }]
}

const isOurs = (hook: unknown): boolean =>
  isMembers(hook) && typeof hook.command === 'string' && OURS.test(hook.command)

/** A member that has become empty was made by us, unless it was there and empty before. */
function withMember(settings: Members, name: string, value: Members): Members {
  if (Object.keys(value).length > 0) return { ...settings, [name]: value }
  const { [name]: _, ...others } = settings
  return others
}
