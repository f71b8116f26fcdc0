/** A path below `/memories`, taken apart. */
export interface MemoryPath {
  /** The path as the model gave it, for answers. */
  readonly given: string
  /** Names from the root down; none for the root itself. */
  readonly names: readonly string[]
}

const ROOT = '/memories'
const ROOT_NAME = 'memories'
/** Stands for the folder around the root: no path can name the folder. */
const AROUND = '\0'

/** Resolves dots as a file system does, and refuses a path that leaves the root. */
export function parsePath(given: string): MemoryPath {
  if (!given.startsWith(ROOT)) throw new Error(`Path must start with /memories, got: ${given}`)
  if (given.includes(AROUND)) throw new Error('The path must not contain null bytes.')
  const names: string[] = [AROUND, ROOT_NAME]
  for (const name of given.toWellFormed().slice(ROOT.length).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  const [around, root, ...inside] = names
  if (around === AROUND && root === ROOT_NAME) return { given, names: inside }
  throw new Error(`Path ${given} would escape /memories directory`)
}

/** The key of a file; a directory's key ends with a slash, as no file's does. */
export const fileKey = (names: readonly string[]): string => names.join('/')
export const folderKey = (names: readonly string[]): string => `${names.join('/')}/`

/** The key of a further piece of a long file: names are never empty, so no path has two slashes. */
export const pieceKey = (key: string, number: number): string => `${key}//${number}`
export const ownerKey = (key: string): string => key.split('//')[0] ?? key

/** A document's content: the key on a line of its own, and the text of a file behind. */
export const contentOf = (key: string, text: string): string =>
  `${key.replace(/[%\n\r]/g, encodeURIComponent)}\n${text}`

export const keyIn = (content: string): string | null => {
  const end = content.indexOf('\n')
  return end < 0 ? null : content.slice(0, end).replace(/%(?:25|0A|0D)/g, decodeURIComponent)
}

export const textIn = (content: string): string => content.slice(content.indexOf('\n') + 1)
