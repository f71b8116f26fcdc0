import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '..', '..')

/** What a test that wants outside data says in its title when it is skipped. */
export const NO_DATA = 'skipped: no outside data here; MUNIMENT_DATA names its folder'

/** A place among the outside data, or undefined where that data is absent. */
export function dataFolder(...parts: readonly string[]): string | undefined {
  // Set but empty is how a shell says "not set".
  const root = process.env.MUNIMENT_DATA || join(repository, '..', 'shared', 'data')
  const place = resolve(root, ...parts)
  return existsSync(place) ? place : undefined
}

/** The title of a suite over outside data, with the reason when it will be skipped. */
export const titleWithData = (title: string, place: string | undefined): string =>
  place === undefined ? `${title} (${NO_DATA})` : title
