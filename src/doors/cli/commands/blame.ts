import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type BlamedLine, blame as blameLines } from '../../../adopt/blame.ts'
import { FileHistory } from '../../../adopt/file-history.ts'
import { watchedAt } from '../../../adopt/watch.ts'
import { MunimentError } from '../../../domain/errors.ts'
import type { Page } from '../../../operations/text/page.ts'
import { clip, oneLine, shortRef } from '../../../operations/text/words.ts'
import { identityKey } from '../../access/identity-key.ts'
import { readerAt } from '../caller.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'
import { ok } from '../spec/command.ts'

/** Reads a file of this machine, so only the command line offers this command. */
export const blame: Command = {
  name: 'blame',
  group: 'hidden',
  summary: 'Who brought each line of a watched file, when, and from what.',
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'A file that muniment adopt <file> --watch keeps.',
    },
  ],
  options: [],
  examples: ['muniment blame CLAUDE.md'],
  notes: [
    'A name stands where a hook reported the edit or the watch was given --by; otherwise nobody said.',
    'Lines that are not kept yet are marked with “now”.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (typeof input.file !== 'string' || input.file === '') {
      throw usageError('blame needs a file.', 'muniment blame CLAUDE.md')
    }
    const { place, isFolder } = await watchedAt(path.resolve(session.host.folder, input.file))
    if (isFolder) throw usageError('blame takes one file.', 'muniment blame CLAUDE.md')
    const now = await readFile(place, 'utf8').catch(() => '')
    const { caller: by } = readerAt('blame', session)
    const parts = { key: await identityKey(session.home), path: place, redact: session.redact, by }
    const versions = await session.withStack('existing', (stack) =>
      new FileHistory(stack, parts).versions(),
    )
    if (versions.length === 0) {
      throw new MunimentError('not_found', `No version of ${place} is kept in this stack.`, {
        hint: 'muniment adopt <file> --watch keeps it from now on.',
      })
    }
    const lines = blameLines(versions, session.redact(now))
    const json = lines.map(({ line, text, version }) => ({
      line,
      text,
      version: version?.number ?? null,
      ref: version?.ref ?? null,
      who: version?.who ?? null,
      from: version?.from ?? null,
      time: version?.time ?? null,
    }))
    return ok({ file: place, versions: versions.length, lines: json }, (page) =>
      blamePage(lines, page),
    )
  },
}

const TIME_CHARS = '2026-01-01T00:00'.length

function blamePage(lines: readonly BlamedLine[], { ink, width }: Page): readonly string[] {
  if (lines.length === 0) return ['The file is empty, or gone.']
  const heads = lines.map(({ version }) =>
    version === null
      ? 'now'
      : `${version.number}  ${shortRef(version.ref)}  ${version.time.slice(0, TIME_CHARS)}  ${oneLine(version.who ?? 'nobody said')}`,
  )
  const room = Math.max(...heads.map((head) => head.length))
  return lines.map(({ line, text }, index) =>
    clip(
      `${ink.faint((heads[index] ?? '').padEnd(room))}  ${line}  ${oneLine(text)}`,
      width + FAINT_CHARS,
    ),
  )
}

const FAINT_CHARS = 9 // codes of the ink, which take no room
