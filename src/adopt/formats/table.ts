import { chatgpt } from './chatgpt.ts'
import { claudeAi } from './claude-ai.ts'
import { claudeCode } from './claude-code.ts'
import { claudeMem } from './claude-mem.ts'
import type { Format } from './format.ts'
import { kernle } from './kernle.ts'
import { letta } from './letta.ts'
import { mem0 } from './mem0.ts'
import { ownMarkdown } from './own-markdown.ts'
import { pam } from './pam.ts'
import { savedList } from './saved-list.ts'
import { serverMemory } from './server-memory.ts'
import { basicMemory, obsidian } from './vault.ts'

/** Every format. The first that recognises a file reads the file. */
export const FORMATS: readonly Format[] = [
  ownMarkdown,
  serverMemory,
  pam,
  chatgpt,
  claudeAi,
  claudeMem,
  kernle,
  letta,
  mem0,
  claudeCode,
  savedList,
  obsidian,
  basicMemory,
]

export const formatNamed = (name: string): Format | undefined =>
  FORMATS.find((format) => format.name === name)
