import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { OutFormat } from '../../../adopt/write/export.ts'
import { plural } from '../../../operations/text/words.ts'
import { readerAt } from '../caller.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, Option } from '../spec/command.ts'
import { ok } from '../spec/command.ts'
import { notGiven } from './input.ts'
import { newFile } from './store-commands.ts'

const FORMATS = ['markdown', 'json', 'bundle'] as const
/** Shapes of other tools, and a folder with a file for each memory. */
const SHAPES: Readonly<Record<string, OutFormat>> = {
  folder: 'markdown',
  'server-memory': 'server-memory',
  mem0: 'mem0',
  pam: 'pam',
}

const option = (given: Pick<Option, 'field' | 'flag' | 'reading' | 'help'>): Option => ({
  aliases: [],
  many: false,
  group: 'body',
  ...given,
})

/** Writes a file on this machine, so only the command line offers this command. */
export const exportCommand: Command = {
  name: 'export',
  group: 'stack',
  summary: 'Write the memories, or the whole stack with its ledger, into a file.',
  positionals: [
    {
      field: 'path',
      reading: { type: 'text' },
      required: true,
      help: 'A file that is not there yet, in a folder that is.',
    },
  ],
  options: [
    option({
      field: 'format',
      flag: 'format',
      reading: { type: 'choice', of: [...FORMATS, ...Object.keys(SHAPES)] },
      help: 'markdown to read, json to import, bundle to restore; for other tools: folder, server-memory, mem0, pam. Default by the name.',
    }),
    option({
      field: 'includeRaw',
      flag: 'no-raw',
      reading: { type: 'flag', sets: false },
      help: 'Leave out raw captures, and from json the ledger too. A bundle is always whole.',
    }),
    option({
      field: 'includeForgotten',
      flag: 'forgotten',
      reading: { type: 'flag', sets: true },
      help: 'What was forgotten, too.',
    }),
  ],
  examples: [
    'muniment stack export memories.md',
    'muniment stack export memories.json',
    'muniment stack export whole.bundle',
    'muniment stack export memories --format folder',
    'muniment stack export memory.jsonl --format server-memory',
  ],
  notes: [
    'A person’s json export holds the memories to read and the whole ledger, forgotten memories included;',
    'a program’s holds the memories alone.',
    'On a machine with the keys of this home, muniment stack import brings an empty stack back from it, whole.',
    'To hand memories to somebody else: muniment stack dump --format json, which holds no ledger.',
    'Every export holds its words in the clear: keep it as private as the home folder.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { path: given, format, ...options } = input
    if (typeof given !== 'string' || given === '') {
      throw notGiven('export', exportCommand.positionals)
    }
    const file = newFile(given)
    if (typeof format === 'string' && Object.hasOwn(SHAPES, format)) {
      return exportShape(session, file, format)
    }
    const chosen = FORMATS.find((each) => each === format) ?? formatOf(file)
    // The ledger contains words without a receipt of reading, so a program gets the memories alone.
    const { person: includeLedger } = await session.who()
    const { isSealed } = await session.withStack('existing', async (stack) => {
      const asked = { ...options, format: chosen, includeLedger }
      return stack.export(file, { ...asked, ...readerAt('export', session) })
    })
    const bytes = (await stat(file)).size
    const answer = { stack: session.stackId, file, format: chosen, bytes, sealed: isSealed }
    return ok(answer, ({ ink }) => [
      `${ink.good('Written')} “${session.stackId}” as ${chosen} to ${file}, ${plural(bytes, 'byte')}.`,
      ...(chosen === 'json' ? [ink.faint(`  ${isSealed ? SEALED : UNSEALED}`)] : []),
      ...(chosen === 'json' && !includeLedger ? [ink.faint(`  ${BY_PROGRAM}`)] : []),
    ])
  },
}

/** Writes the believed memories for another tool; muniment adopt reads them again. */
async function exportShape(session: Session, file: string, shape: string): Promise<Answer> {
  const format = SHAPES[shape] ?? 'markdown'
  const by = readerAt('export', session)
  const exportedAt = new Date(session.host.now()).toISOString()
  const memories = await session.withStack('existing', async (stack) => {
    const { exportMemories } = await import('../../../adopt/write/export.ts') // few exports need it
    return exportMemories(stack, { to: file, format, by, exportedAt })
  })
  const answer = { stack: session.stackId, file, format: shape, memories }
  return ok(answer, ({ ink }) => [
    `${ink.good('Written')} “${session.stackId}” for ${shape} to ${file}, ${plural(memories, 'memory', 'memories')}.`,
    ink.faint(
      '  Provenance that the shape has no place for stays here: muniment stack export whole.bundle',
    ),
  ])
}

const SEALED =
  'Sealed: muniment stack import brings an empty stack back from it, where the keys of this home are.'
const UNSEALED = 'Not sealed: muniment stack import takes its memories as the importer’s words.'
const BY_PROGRAM =
  'A program exports no ledger. To bring the stack back whole: muniment stack backup, or an export by a person.'

const BY_ENDING: Readonly<Record<string, (typeof FORMATS)[number]>> = {
  '': 'markdown',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'markdown',
  '.json': 'json',
  '.bundle': 'bundle',
  '.jsonl': 'bundle',
}

function formatOf(file: string): (typeof FORMATS)[number] {
  const ending = path.extname(file).toLowerCase()
  const format = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
  if (format !== undefined) return format
  throw usageError(
    `What shall be in a file that ends in ${ending}?`,
    'Call it .md, .json or .bundle, or say: --format markdown, json or bundle',
  )
}
