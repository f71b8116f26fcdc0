import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MunimentError } from '../../domain/errors.ts'
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

/** Where a client has something else than we know how to add to, nothing is touched. */
function membersIn(of: Members, name: string): Members {
  const found = of[name]
  if (found === undefined) return {}
  if (isMembers(found)) return found
  throw new MunimentError('invalid_json', `Its “${name}” is not an object.`)
}

/** An entry of ours starts our program as a server; one that only has our name is somebody's. */
function isOurServer(entry: unknown): boolean {
  if (!isMembers(entry) || !Array.isArray(entry.args)) return false
  const line = [entry.command, ...entry.args].map(String)
  const at = line.indexOf('mcp')
  return at > 0 && /(?:^|[\\/])(?:muniment|doors[\\/]cli[\\/]bin\.[jt]s)$/.test(line[at - 1] ?? '')
}

/** Whether our name is taken by an entry that is not ours. */
export function isTaken(settings: Members): boolean {
  const { [SERVER]: entry } = membersIn(settings, 'mcpServers')
  return entry !== undefined && !isOurServer(entry)
}

export function withServer(settings: Members, { command, args, options }: Launcher): Members {
  const server = { type: 'stdio', command, args: [...args, 'mcp', ...options] }
  return { ...settings, mcpServers: { ...membersIn(settings, 'mcpServers'), [SERVER]: server } }
}

export function withoutServer(settings: Members): Members {
  return isTaken(settings) ? settings : withoutName(settings)
}

/** Without the entry of our name, whosever it is. */
export function withoutName(settings: Members): Members {
  const { [SERVER]: entry, ...others } = membersIn(settings, 'mcpServers')
  return entry === undefined ? settings : withMember(settings, 'mcpServers', others)
}

export function withHooks(settings: Members, launcher: Launcher): Members {
  const cleared = membersIn(withoutHooks(settings), 'hooks')
  const hooks: Record<string, unknown> = { ...cleared }
  for (const hook of HOOKS) {
    const event = EVENTS[hook]
    hooks[event] = [...groupsIn(cleared, event), groupFor(hook, launcher)]
  }
  return { ...settings, hooks }
}

function groupsIn(hooks: Members, event: string): readonly unknown[] {
  const groups = hooks[event] ?? []
  if (Array.isArray(groups)) return groups
  throw new MunimentError('invalid_json', `Its “hooks.${event}” is not a list.`)
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
  const before = membersIn(settings, 'hooks')
  const hooks = Object.entries(before).flatMap(([event, groups]) => {
    if (!Array.isArray(groups)) return [[event, groups] as const]
    const left = groups.flatMap(withoutOurs)
    return left.length === 0 && groups.length > 0 ? [] : [[event, left] as const]
  })
  const left = Object.fromEntries(hooks)
  return isDeepStrictEqual(left, before) ? settings : withMember(settings, 'hooks', left)
}

function withoutOurs(group: unknown): readonly unknown[] {
  if (!isMembers(group) || !Array.isArray(group.hooks)) return [group]
  const left = group.hooks.filter((each) => !isOurs(each))
  if (left.length === group.hooks.length) return [group]
  return left.length === 0 ? [] : [{ ...group, hooks: left }]
}

const isOurs = (hook: unknown): boolean =>
  isMembers(hook) && typeof hook.command === 'string' && OURS.test(hook.command)

/** A member that has become empty was made by us. */
function withMember(settings: Members, name: string, value: Members): Members {
  if (Object.keys(value).length > 0) return { ...settings, [name]: value }
  const { [name]: _, ...others } = settings
  return others
}
