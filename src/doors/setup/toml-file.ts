import { MunimentError } from '../../domain/errors.ts'
import { isMembers, type JsonFile, type Members, textOf } from './json-file.ts'

const TABLE = 'mcp_servers'
const SERVER = 'muniment'
const OURS = new RegExp(
  String.raw`^[ \t]*\[[ \t]*${TABLE}[ \t]*\.[ \t]*"?${SERVER}"?[ \t]*\][ \t]*(?:#.*)?$`,
)
const HEADER = /^[ \t]*\[/

/**
 * Reads and writes only our own TOML table, as a whole. All other text stays unchanged, under a
 * member no table can be called.
 */
export async function readTomlFile(file: string): Promise<JsonFile> {
  const text = await textOf(file)
  if (text === null) return { path: file, text, members: {} }
  const lines = text.split(/(?<=\n)/)
  const at = lines.findIndex((line) => OURS.test(line.trimEnd()))
  if (at < 0) return { path: file, text, members: restOf(text) }
  const after = lines.findIndex((line, index) => index > at && HEADER.test(line))
  const end = after < 0 ? lines.length : after
  const before = lines.slice(0, at).join('').replace(/\n\n$/, '\n') // the gap is ours
  const rest = before + lines.slice(end).join('')
  const entry = entryOf(lines.slice(at + 1, end), file)
  return { path: file, text, members: { ...restOf(rest), [TABLE]: { [SERVER]: entry } } }
}

const REST = ' '

const restOf = (text: string): Members => (text.trim() === '' ? {} : { [REST]: text })

const PAIR = /^\s*(\w+)\s*=\s*(.+?)\s*$/

/**
 * Strings and lists of strings are written in TOML as in JSON; other values are not of our making.
 */
function entryOf(lines: readonly string[], file: string): Members {
  const pairs = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): readonly [string, unknown] => {
      const [, name = '', value = ''] = PAIR.exec(line) ?? []
      try {
        return [name, JSON.parse(value)]
      } catch {
        return [name === '' ? line : name, { text: value }]
      }
    })
  if (pairs.length > 0) return Object.fromEntries(pairs)
  throw new MunimentError('invalid_json', `${file}: its table of muniment is empty.`)
}

/** Our table stands last, behind an empty line. */
export function tomlTextFor(_: JsonFile, members: Members): string {
  const { [REST]: rest = '', [TABLE]: servers } = members
  const entry = isMembers(servers) ? servers[SERVER] : undefined
  const before = String(rest)
  if (!isMembers(entry)) return before
  const lines = Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  return `${before}${gap}[${TABLE}.${SERVER}]\n${lines.join('\n')}\n`
}
