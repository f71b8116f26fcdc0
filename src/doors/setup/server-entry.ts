import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { type Client, type Launcher, type Scope, stackOptions } from './clients.ts'
import { isMembers, type Members } from './json-file.ts'

const SERVER = 'muniment'

/** An unknown form of settings is refused, so nothing foreign is touched. */
export function membersIn(of: Members, name: string): Members {
  const found = of[name]
  if (found === undefined) return {}
  if (isMembers(found)) return found
  throw new MunimentError('invalid_json', `Its “${name}” is not an object.`)
}

/** An entry of ours starts our program as a server; other entries of our name are foreign. */
function isOurServer(entry: unknown): boolean {
  if (!isMembers(entry) || !Array.isArray(entry.args)) return false
  const line = [entry.command, ...entry.args].map(String)
  const at = line.indexOf('mcp')
  return at > 0 && /(?:^|[\\/])(?:muniment|doors[\\/]cli[\\/]bin\.[jt]s)$/.test(line[at - 1] ?? '')
}

type EntryForm = Pick<Client, 'member' | 'isTyped'>

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * An address of `muniment serve` on this machine. The token for programs goes to no other address.
 */
function isOurAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, pathname } = new URL(url)
  return protocol === 'http:' && LOOPBACK.has(hostname) && /^\/mcp(?:\/|$)/.test(pathname)
}

/** The entry of our name reaches `muniment serve` over HTTP instead of starting the program. */
export function isOverHttp(settings: Members, { member }: EntryForm): boolean {
  const { [SERVER]: entry } = membersIn(settings, member)
  return isMembers(entry) && entry.command === undefined && isOurAddress(entry.url)
}

/** The entry with the token for programs; null removes any token of ours. */
export function withToken(settings: Members, { member }: EntryForm, token: string | null): Members {
  const servers = membersIn(settings, member)
  const entry = membersIn(servers, SERVER)
  const { Authorization: shown, ...others } = membersIn(entry, 'headers')
  const isForeign = typeof shown === 'string' && !shown.startsWith('Bearer mun_')
  if (token === null && (shown === undefined || isForeign)) return settings
  const headers = token === null ? others : { ...others, Authorization: `Bearer ${token}` }
  return { ...settings, [member]: { ...servers, [SERVER]: withMember(entry, 'headers', headers) } }
}

/** Our name is taken by a foreign entry. */
export function isTaken(settings: Members, { member }: EntryForm): boolean {
  const { [SERVER]: entry } = membersIn(settings, member)
  return entry !== undefined && !isOurServer(entry)
}

export function withServer(
  settings: Members,
  launcher: Launcher,
  held: Pick<Client, 'member' | 'isTyped' | 'projectFolder'> & { readonly scope: Scope },
): Members {
  const { member, isTyped, scope, projectFolder: folder } = held
  const { command, args, options } = launcher
  const type = isTyped ? { type: 'stdio' } : {}
  const which = stackOptions(launcher, { scope, folder })
  const server = { ...type, command, args: [...args, 'mcp', ...which, ...options] }
  return { ...settings, [member]: { ...membersIn(settings, member), [SERVER]: server } }
}

export function withoutServer(settings: Members, held: EntryForm): Members {
  if (isOverHttp(settings, held)) return withToken(settings, held, null)
  return isTaken(settings, held) ? settings : withoutName(settings, held)
}

/** Removes the entry of our name, even a foreign entry. */
function withoutName(settings: Members, { member }: EntryForm): Members {
  const { [SERVER]: entry, ...others } = membersIn(settings, member)
  return entry === undefined ? settings : withMember(settings, member, others)
}

/** Removes the entry, and an empty member too, so files before and after can be compared. */
export function withoutTrace(settings: Members, held: EntryForm): Members {
  const left = withoutName(settings, held)
  return withMember(left, held.member, membersIn(left, held.member))
}

/** An empty member was made by us, and is removed. */
export function withMember(settings: Members, name: string, value: Members): Members {
  if (Object.keys(value).length > 0) return { ...settings, [name]: value }
  const { [name]: _, ...others } = settings
  return others
}

/** The program started by our entry; null without an entry of ours. */
export function startedBy(settings: Members, { member }: EntryForm): readonly string[] | null {
  const { [SERVER]: entry } = membersIn(settings, member)
  if (!isOurServer(entry)) return null
  const { command, args } = entry as { command: unknown; args: readonly unknown[] } // checked above
  return [command, ...args].map(String)
}

/** The running program. */
interface Running {
  /** The search path for programs. */
  readonly searchPath: string
  readonly node: string
  readonly script: string
}

/** The command's name if found on the path, so updates apply; otherwise the full path. */
export function launcherFor({ searchPath, node, script }: Running): {
  readonly command: string
  readonly args: readonly string[]
} {
  const isInstalled = searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !isOfOneRun(folder))
    .some((folder) => isProgram(path.join(folder, 'muniment')))
  return isInstalled ? { command: 'muniment', args: [] } : { command: node, args: [script] }
}

/** npx and npm scripts put temporary folders on the path, unknown to the client. */
const isOfOneRun = (folder: string): boolean => /node_modules|[\\/]_npx[\\/]/.test(folder)

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
