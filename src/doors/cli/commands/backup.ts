import { stat } from 'node:fs/promises'
import { plural } from '../../../operations/text/words.ts'
import { EXIT } from '../exit-codes.ts'
import type { Command } from '../spec/command.ts'
import { notGiven } from './input.ts'
import { newFile } from './new-file.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the stack into a file of its own, also while it is in use.',
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'A file that is not there yet, in a folder that is.',
    },
  ],
  options: [],
  examples: ['muniment backup muniment-2026-01-31.db'],
  notes: [
    'A stack from which something was erased needs its key file too, keys/<uid>, to be written to.',
    'The copy holds every word of the stack in the clear: keep it as private as the home folder.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (typeof input.file !== 'string' || input.file === '') {
      throw notGiven('backup', backup.positionals)
    }
    const { stacks } = session.host
    await session.assertMayOpen()
    if (!(await stacks.exists(session.stackId, session))) throw await session.noStack()
    const file = newFile(input.file)
    await stacks.backup(session.stackId, {
      home: session.home,
      store: session.store,
      to: file,
    })
    const bytes = (await stat(file)).size
    return {
      json: { stack: session.stackId, file, bytes },
      text: ({ ink }) => [
        `${ink.good('Copied')} “${session.stackId}” to ${file}, ${plural(bytes, 'byte')}.`,
      ],
      exit: EXIT.ok,
    }
  },
}
