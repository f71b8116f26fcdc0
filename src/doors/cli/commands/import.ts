import { MunimentError } from '../../../domain/errors.ts'
import { OPERATIONS } from '../../../protocol/operations.ts'
import type { ParseJson } from '../host.ts'
import type { Command } from '../spec/command.ts'
import { fileText, notGiven, stdinText } from './input.ts'
import { operateOn } from './operation.ts'
import { progressOn } from './progress.ts'

const DUMP_BYTES_MAX = 268_435_456 // held whole while it is read; a bundle has no such end

/** The operation of the table, with the dump read from a file. */
export const importCommand: Command = {
  name: 'import',
  summary: OPERATIONS.import.summary,
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'What muniment export memories.json wrote. “-” reads stdin.',
    },
  ],
  options: [
    {
      field: 'vouch',
      flag: 'vouch',
      aliases: [],
      reading: { type: 'flag', sets: true },
      many: false,
      group: 'body',
      help: 'Take first-hand memories too, never above what they were. Only a person can.',
    },
  ],
  examples: ['muniment import memories.json', 'muniment import memories.json --vouch --stack copy'],
  notes: [
    'Everything passes the gate and gets entries of its own. A refusal is reported, the rest goes on,',
    'and it ends with 1.',
    'A dump carries what was said, not what came of it: verdicts, ends and other changes stay behind,',
    'so that questions may be answered otherwise than there. A whole stack: muniment restore.',
    'The file says what its memories were, --vouch that you believe it; without it only models’ words come in.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { file, vouch = false } = input
    if (typeof file !== 'string' || file === '') {
      throw notGiven('import', importCommand.positionals)
    }
    const text = file === '-' ? await stdinText(session) : await fileText(file, DUMP_BYTES_MAX)
    const dump = parsedDump(await session.host.jsonParser(), { file, text })
    return operateOn('import', {
      session,
      command: 'import',
      input: { dump, vouch },
      need: 'made',
      onProgress: progressOn(session, 'memories'),
    })
  },
}

/** Two files of ours look alike to a person: only one of them comes in here. */
function parsedDump(
  parse: ParseJson,
  { file, text }: { readonly file: string; readonly text: string },
): unknown {
  const hint =
    'It is what muniment export memories.json writes. Markdown is for reading; a bundle comes back with muniment restore.'
  let dump: unknown
  try {
    dump = parse(text)
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    throw new MunimentError(cause.code, `${file} is no JSON dump. ${cause.message}`, {
      hint,
      cause,
    })
  }
  if (Object.hasOwn(Object(dump), 'format')) return dump
  // Anybody's JSON: naming each of its members would help nobody.
  throw new MunimentError('invalid_input', `${file} is no JSON dump: it names no format.`, { hint })
}
