import { promises as fs } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const HERE = path.dirname(fileURLToPath(import.meta.url))

/** The place of the memory file where `MEMORY_FILE_PATH` names none: beside this module. */
export const defaultMemoryPath = path.join(HERE, 'memory.jsonl')

/** The memory file that the environment names; a relative path begins beside this module. */
export async function ensureMemoryFilePath(): Promise<string> {
  const { MEMORY_FILE_PATH: given } = process.env
  if (given) return path.resolve(HERE, given)
  const legacy = path.join(HERE, 'memory.json')
  if ((await isThere(legacy)) && !(await isThere(defaultMemoryPath))) {
    log('DETECTED: Found legacy memory.json file: its lines are those of memory.jsonl')
    await fs.rename(legacy, defaultMemoryPath)
    log('COMPLETED: Successfully migrated memory.json to memory.jsonl')
  }
  return defaultMemoryPath
}

// biome-ignore lint/suspicious/noConsole: hosts watch server-memory's console for these words
const log = (text: string): void => console.error(text)

const isThere = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  )
