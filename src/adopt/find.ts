import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Fields, fieldsOf } from './fields.ts'
import type { UsualPlace } from './formats/format.ts'
import { FORMATS } from './formats/table.ts'
import { type Source, sourcesAt } from './source.ts'
import { documentText, realPath, sourceFile } from './source-file.ts'

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
          const name = `${source.format.name}\n${source.place}`
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

async function placesOf(usual: UsualPlace, grounds: Grounds): Promise<readonly string[]> {
  const { under, path: below, marked, names } = usual
  const ground = grounds[under]
  const root = ground === null ? null : await realPath(ground).catch(() => null)
  if (root === null) return []
  let places: readonly string[] = [root]
  for (const part of below.split('/')) {
    const next = await Promise.all(
      places.map(async (place) => (part === '*' ? foldersIn(place) : [path.join(place, part)])),
    )
    places = await withoutLinks(next.flat())
  }
  if (names !== undefined) {
    const named = await Promise.all(places.map((file) => placesIn(file, { names, root })))
    return named.flat()
  }
  if (marked === undefined) return places
  const marks = await Promise.all(places.map((place) => isThere(path.join(place, marked))))
  return places.filter((_, index) => marks[index])
}

/** Places that a file of settings names, as far as they lie below the root. */
async function placesIn(
  file: string,
  { names, root }: { readonly names: (settings: Fields) => readonly unknown[]; root: string },
): Promise<string[]> {
  const named = await settingsIn(file).then(names, () => [])
  const texts = named.flatMap((name) => (typeof name === 'string' ? [name] : []))
  const whole = texts.map((name) => path.resolve(root, name.replace(/^~(?=[\\/])/, root)))
  const real = await Promise.all(whole.map((place) => realPath(place).catch(() => '')))
  return real.filter((place) => place.startsWith(root + path.sep))
}

const settingsIn = async (file: string): Promise<Fields> =>
  fieldsOf(JSON.parse(await documentText(await sourceFile(file))))

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
  const there = await Promise.all(places.map(isThere))
  return places.filter((_, index) => there[index])
}

const isThere = (place: string): Promise<boolean> =>
  lstat(place).then(
    (stats) => !stats.isSymbolicLink(),
    () => false,
  )
