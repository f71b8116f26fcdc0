import { MunimentError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { OPERATIONS } from '../../../operations/operations.ts'
import type { ParseJson } from '../host.ts'
import { type Command, typed } from '../spec/command.ts'
import { fileText, notGiven, stdinText } from './input.ts'
import { operateOn } from './operation.ts'
import { progressOn } from './progress.ts'

const DUMP_BYTES_MAX = 268_435_456 // a dump is held in memory; a bundle is streamed without a limit

/** The `import` operation, with the dump read from a file. */
export const importCommand: Command = {
  name: 'import',
  group: 'stack',
  summary: OPERATIONS.import.summary,
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'What muniment stack export memories.json wrote. “-” reads stdin.',
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
      help: 'Take labels, tiers and actors as the file says. Only a person can.',
    },
  ],
  examples: [
    'muniment stack import memories.json',
    'muniment stack import memories.json --vouch --stack copy',
  ],
  notes: [
    'Your own export brings an empty stack of the same name back whole, where the keys of its home are',
    'and nothing in the file was changed. Erasures done since are repeated. A program cannot do this.',
    'Any other file comes in as a model’s words: everything passes the gate, with new entries, labelled',
    'ModelDerived, with tier 1 at most. A source that the file leaves out is counted, and what rests on it comes in.',
    'Verdicts, ends and other changes stay behind then. A refusal is listed with its reason, the rest is taken,',
    'and the command ends with 1. --vouch says that you believe the file, never above what it claims.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { file, vouch = false } = input
    if (typeof file !== 'string' || file === '') {
      throw notGiven(typed(importCommand), importCommand.positionals)
    }
    const text = file === '-' ? await stdinText(session) : await fileText(file, DUMP_BYTES_MAX)
    const dump = parsedDump(await session.host.jsonParser(), { file, text })
    return operateOn('import', {
      session,
      command: typed(importCommand),
      input: { dump, vouch },
      need: 'made',
      onProgress: progressOn(session, 'memories'),
    })
  },
}

/** Dumps and bundles look alike to a person: only dumps are imported here. */
function parsedDump(
  parse: ParseJson,
  { file, text }: { readonly file: string; readonly text: string },
): unknown {
  const hint =
    'It is what muniment stack export memories.json writes. Markdown is for reading; a bundle comes back with muniment stack restore.'
  let dump: unknown
  try {
    dump = parse(text, { valuesMax: LIMITS.importFileValuesMax })
  } catch (cause) {
    if (!(cause instanceof MunimentError)) throw cause
    throw new MunimentError(cause.code, `${file} is no JSON dump. ${cause.message}`, {
      hint,
      cause,
    })
  }
  if (Object.hasOwn(Object(dump), 'format')) return dump
  // Foreign JSON: naming each of its members would help nobody.
  throw new MunimentError('invalid_input', `${file} is no JSON dump: it names no format.`, { hint })
}
