import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every way in which text may lie in a file; base64 in all three alignments. */
export function spellingsOf(text: string): ReadonlyMap<string, Buffer> {
  const utf8 = Buffer.from(text)
  const utf16 = Buffer.from(text, 'utf16le')
  const found = new Map<string, Buffer>([
    ['utf-8', utf8],
    ['utf-16le', utf16],
    ['utf-16be', Buffer.from(utf16).swap16()],
    ['hex', Buffer.from(utf8.toString('hex'))],
    ['HEX', Buffer.from(utf8.toString('hex').toUpperCase())],
  ])
  for (const shift of [0, 1, 2]) {
    // What stands before and after shares characters with it: only the middle is its own.
    const padded = Buffer.concat([Buffer.alloc(shift), utf8])
    const encoded = padded.toString('base64').replace(/=+$/, '')
    const middle = encoded.slice(shift === 0 ? 0 : shift + 1, -2)
    found.set(`base64 +${shift}`, Buffer.from(middle))
    found.set(`base64url +${shift}`, Buffer.from(middle.replaceAll('+', '-').replaceAll('/', '_')))
  }
  return found
}

/** Every way in which bytes may lie in a file. */
export const spellingsOfBytes = (bytes: Uint8Array): ReadonlyMap<string, Buffer> =>
  new Map([
    ['bytes', Buffer.from(bytes)],
    ['hex', Buffer.from(Buffer.from(bytes).toString('hex'))],
    ['base64', Buffer.from(Buffer.from(bytes).toString('base64').slice(0, -2))],
  ])

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

/** Which files of a folder hold any of the spellings, and how. */
export function foundIn(folder: string, spellings: ReadonlyMap<string, Buffer>): readonly string[] {
  return filesIn(folder).flatMap((path) => {
    const bytes = readFileSync(path)
    return [...spellings].flatMap(([name, spelling]) =>
      bytes.includes(spelling) ? [`${path}: ${name}`] : [],
    )
  })
}
