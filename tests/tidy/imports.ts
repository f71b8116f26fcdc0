import { type Import, importsOf, resolveRelative } from '../support/imports.ts'
import { isTestPath, type SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'
import { allows, ENTRIES, FOR_TESTS, ROOMS, type Room, roomOf, TOLD } from './rooms.ts'

/** Checks every import of src against the table of rooms. */
export function checkImports(files: readonly SourceText[]): readonly Finding[] {
  return files.filter(({ path }) => path.startsWith('src/')).flatMap(checkFile)
}

function checkFile(file: SourceText): readonly Finding[] {
  const name = roomOf(file.path)
  const room = ENTRIES[file.path] ?? (name === undefined ? undefined : ROOMS[name])
  if (!room) {
    const message = 'stands in no room of the table; move it, or add its room to rooms.ts'
    return [{ path: file.path, line: 1, message }]
  }
  return importsOf(file).flatMap((each) => {
    const message = refusal(file.path, room, each)
    return message === undefined ? [] : [{ path: file.path, line: each.line, message }]
  })
}

/** Why this file may not have this import, or undefined when it may. */
function refusal(path: string, room: Room, { specifier, typeOnly }: Import): string | undefined {
  if (specifier === undefined) {
    return Object.hasOwn(TOLD, path)
      ? undefined
      : 'imports a computed name, which no table can check'
  }
  const target = resolveRelative(path, specifier)
  if (target === undefined) return outsideRefusal(path, room, specifier)
  if (isTestPath(path) && FOR_TESTS.folders.some((folder) => target.startsWith(folder))) return
  const to = roomOf(target)
  if (to === undefined) return `imports ${target}, which stands in no room`
  const allowed = [roomOf(path), ...room.rooms, ...(isTestPath(path) ? FOR_TESTS.rooms : [])]
  if (allowed.some((each) => each !== undefined && allows(each, to))) return
  if (room.types?.some((each) => allows(each, to)))
    return typeOnly ? undefined : `imports ${to} for more than its types: write import type`
  return `${roomOf(path) ?? path} may not import ${to}`
}

/** Tests may use any package: what they need is never shipped. */
function outsideRefusal(path: string, room: Room, specifier: string): string | undefined {
  if (isTestPath(path)) return
  const fits = (allowed: string): boolean =>
    allowed === 'node:*'
      ? specifier.startsWith('node:')
      : specifier === allowed || specifier.startsWith(`${allowed}/`)
  if (room.outside?.some(fits)) return
  return `${roomOf(path) ?? path} may not import ${specifier}`
}
