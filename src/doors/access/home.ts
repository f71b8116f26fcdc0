import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { MunimentError } from '../../domain/errors.ts'

const PRIVATE_FOLDER = 0o700
const MODE_BITS = 0o777
const OTHERS_BITS = 0o077 // any permission for group or others

export const stacksFolder = (home: string): string => path.join(home, 'stacks')

/**
 * Makes the home private from its first moment; an existing home keeps the mode its owner chose.
 */
export function ensureHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: PRIVATE_FOLDER })
  } catch (cause) {
    throw new MunimentError('store_unavailable', `The home folder ${home} cannot be made.`, {
      hint: 'Give another place: --home <dir>, or set MUNIMENT_HOME.',
      cause,
    })
  }
}

/** The permission bits; undefined without a file, or on a system without modes. */
export async function modeOf(file: string): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined
  try {
    return (await stat(file)).mode & MODE_BITS
  } catch {
    return undefined
  }
}

export const isPrivate = (mode: number): boolean => (mode & OTHERS_BITS) === 0

export const modeText = (mode: number): string => mode.toString(8).padStart(4, '0')
