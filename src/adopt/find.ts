import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { UsualPlace } from './formats/format.ts'
import { FORMATS } from './formats/table.ts'
import { type Source, sourcesAt } from './source.ts'
import { realPath } from './source-file.ts'

/** The folders of a search: the person's own, and the folder of the call. */
export interface Grounds {
  /** Null where the system names none. */
  readonly home: string | null
  readonly folder: string
}

/** Sources in the usual places of every format. Nothing outside both folders is looked at. */
export async function findSources(grounds: Grounds): Promise<readonly Source[]> {
  const found = new Map<string, Source>()
  for (const format of FORMATS) {
    for (const usual of format.usualPlaces) {
      for (const place of await placesOf(usual, grounds)) {
        const { sources } = await sourcesAt(place).catch(() => ({ sources: [] })) // unreadable places are no sources
        for (const source of sources) {
          if (source.format !== format) continue
          const name = `${format.name}\n${source.place}`
          if (!isInside(found, source)) found.set(name, source)
        }
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

/** True for a source whose files another source of the format holds already. */
function isInside(found: ReadonlyMap<string, Source>, { format, files }: Source): boolean {
  const known = new Set(
    [...found.values()]
      .filter((source) => source.format === format)
      .flatMap((source) => source.files.map(({ file }) => file.path)),
  )
  return files.every(({ file }) => known.has(file.path))
}

async function placesOf({ under, path: below }: UsualPlace, grounds: Grounds): Promise<string[]> {
  const ground = grounds[under]
  if (ground === null) return []
  const root = await realPath(ground).catch(() => null)
  if (root === null) return []
  let places = [root]
  for (const part of below.split('/')) {
    const next = await Promise.all(
      places.map(async (place) => (part === '*' ? foldersIn(place) : [path.join(place, part)])),
    )
    places = await withoutLinks(next.flat())
  }
  return places
}

const FOLDERS_MAX = 1_000 // projects that one tool may keep beside each other

async function foldersIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .slice(0, FOLDERS_MAX)
    .map(({ name }) => path.join(place, name))
}

/** A link could lead outside. */
async function withoutLinks(places: readonly string[]): Promise<string[]> {
  const stats = await Promise.all(places.map((place) => lstat(place).catch(() => null)))
  return places.filter((_, index) => stats[index] && !stats[index].isSymbolicLink())
}
