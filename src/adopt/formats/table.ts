import { claudeCode } from './claude-code.ts'
import type { Format } from './format.ts'
import { mem0 } from './mem0.ts'
import { serverMemory } from './server-memory.ts'

/** Every format. The first that recognises a file reads the file. */
export const FORMATS: readonly Format[] = [serverMemory, mem0, claudeCode]

export const formatNamed = (name: string): Format | undefined =>
  FORMATS.find((format) => format.name === name)
