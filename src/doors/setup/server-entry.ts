import { MunimentError } from '../../domain/errors.ts'
import { type Client, type Launcher, type Scope, stackOptions } from './clients.ts'
import { isMembers, type Members } from './json-file.ts'

const SERVER = 'muniment'

/** Where a client has something else than we know how to add to, nothing is touched. */
export function membersIn(of: Members, name: string): Members {
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

type Held = Pick<Client, 'member' | 'isTyped'>

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** An address of `muniment serve` on this machine. The token for programs goes to no other address. */
function isOurAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, hostname, pathname } = new URL(url)
  return protocol === 'http:' && LOOPBACK.has(hostname) && /^\/mcp(?:\/|$)/.test(pathname)
}

/** Whether the entry of our name reaches `muniment serve` over HTTP instead of starting the program. */
export function isOverHttp(settings: Members, { member }: Held): boolean {
  const { [SERVER]: entry } = membersIn(settings, member)
  return isMembers(entry) && entry.command === undefined && isOurAddress(entry.url)
}

/** The same entry with the token for programs; without any of our tokens where it is null. */
export function withToken(settings: Members, { member }: Held, token: string | null): Members {
  const servers = membersIn(settings, member)
  const entry = membersIn(servers, SERVER)
  const { Authorization: shown, ...others } = membersIn(entry, 'headers')
  const isForeign = typeof shown === 'string' && !shown.startsWith('Bearer mun_')
  if (token === null && (shown === undefined || isForeign)) return settings
  const headers = token === null ? others : { ...others, Authorization: `Bearer ${token}` }
  return { ...settings, [member]: { ...servers, [SERVER]: withMember(entry, 'headers', headers) } }
}

/** Whether our name is taken by an entry that is not ours. */
export function isTaken(settings: Members, { member }: Held): boolean {
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

export function withoutServer(settings: Members, held: Held): Members {
  if (isOverHttp(settings, held)) return withToken(settings, held, null)
  return isTaken(settings, held) ? settings : withoutName(settings, held)
}

/** Without the entry of our name, whosever it is. */
function withoutName(settings: Members, { member }: Held): Members {
  const { [SERVER]: entry, ...others } = membersIn(settings, member)
  return entry === undefined ? settings : withMember(settings, member, others)
}

/** The same, and no empty member either, so that before us and after us can be compared. */
export function withoutTrace(settings: Members, held: Held): Members {
  const left = withoutName(settings, held)
  return withMember(left, held.member, membersIn(left, held.member))
}

/** A member that has become empty was made by us. */
export function withMember(settings: Members, name: string, value: Members): Members {
  if (Object.keys(value).length > 0) return { ...settings, [name]: value }
  const { [name]: _, ...others } = settings
  return others
}

/** The program that our entry starts; null where there is none of ours. */
export function startedBy(settings: Members, { member }: Held): readonly string[] | null {
  const { [SERVER]: entry } = membersIn(settings, member)
  if (!isOurServer(entry)) return null
  const { command, args } = entry as { command: unknown; args: readonly unknown[] } // looked at above
  return [command, ...args].map(String)
}
