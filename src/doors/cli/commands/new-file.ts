import { existsSync } from 'node:fs'
import path from 'node:path'
import { usageError } from '../failure.ts'

/** The full path of a file to write: a new name, in an existing folder. */
export function newFile(given: string): string {
  const file = path.resolve(given)
  if (existsSync(file)) {
    throw usageError(`${file} exists already and is left alone.`, 'Give a new name.')
  }
  // A mistyped folder would hide the file where nobody looks.
  const folder = path.dirname(file)
  if (existsSync(folder)) return file
  throw usageError(
    `Nothing was written: there is no folder ${folder}.`,
    `Make the folder first: mkdir -p ${folder}. Or name a file in a folder that exists.`,
  )
}
