import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MunimentError } from '../../domain/errors.ts'
import { HOOKS, type Hook } from '../hook/event.ts'
import { type Launcher, type Places, type Scope, stackOptions } from './clients.ts'
import { isMembers, type Members } from './json-file.ts'
import { membersIn, withMember } from './server-entry.ts'

/** Hooks settings of Claude Code. */
export const hooksFile = (scope: Scope, { home, folder }: Places): string =>
  path.join(scope === 'user' ? home : folder, '.claude', 'settings.json')

const EVENTS: Readonly<Record<Hook, string>> = {
  prompt: 'UserPromptSubmit',
  call: 'PreToolUse',
  tool: 'PostToolUse',
  start: 'SessionStart',
  compact: 'PreCompact',
  end: 'SessionEnd',
}

/** Our own tools, whatever name the client has for the server. */
const OWN_TOOLS = 'mcp__.*__(memory|meta)_.*'
const MATCHERS: Readonly<Partial<Record<Hook, string>>> = { call: OWN_TOOLS, tool: '*' }

const TIMEOUT_S = 10 // the client then goes on without us

export function withHooks(settings: Members, launcher: Launcher, scope: Scope): Members {
  const cleared = membersIn(withoutHooks(settings), 'hooks')
  const hooks: Record<string, unknown> = { ...cleared }
  for (const hook of HOOKS) {
    const event = EVENTS[hook]
    hooks[event] = [...groupsIn(cleared, event), groupFor(hook, launcher, scope)]
  }
  return { ...settings, hooks }
}

function groupsIn(hooks: Members, event: string): readonly unknown[] {
  const groups = hooks[event] ?? []
  if (Array.isArray(groups)) return groups
  throw new MunimentError('invalid_json', `Its “hooks.${event}” is not a list.`)
}

function groupFor(hook: Hook, launcher: Launcher, scope: Scope): Members {
  const { command, args, options } = launcher
  // The client names its project to hooks in $CLAUDE_PROJECT_DIR; “.” stands for this folder.
  const which = stackOptions(launcher, { scope, folder: '.' })
  const line = [command, ...args, 'hook', hook, ...which, ...options].map(shellWord).join(' ')
  const matcher = MATCHERS[hook]
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command: line, timeout: TIMEOUT_S }],
  }
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

const OURS =
  /(?:muniment|doors[\\/]cli[\\/]bin\.[jt]s)'?(?: \S+)*? hook (?:prompt|call|tool|start|compact|end)\b/

/** Removes our hooks and leaves all others, also inside the same group. */
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
