import path from 'node:path'
import { MunimentError, ScopeError } from '../../../domain/errors.ts'
import { auditPage } from '../../../operations/audit.ts'
import type { Page } from '../../../operations/text/page.ts'
import { plural } from '../../../operations/text/words.ts'
import { ensureHome } from '../../access/home.ts'
import type { Session } from '../session.ts'
import { type Command, ok, typed } from '../spec/command.ts'
import { notGiven } from './input.ts'
import { progressOn } from './progress.ts'

/**
 * Commits a ledger without the gate, so restore is no operation of the table: a person at this
 * machine asks for it, and only for an empty stack.
 */
export const restore: Command = {
  name: 'restore',
  group: 'stack',
  summary: 'Bring a stack back from a backup or a bundle, with its ledger.',
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'What muniment stack backup or muniment stack export whole.bundle wrote.',
    },
  ],
  options: [
    {
      field: 'replace',
      flag: 'replace',
      aliases: [],
      reading: { type: 'flag', sets: true },
      many: false,
      group: 'body',
      help: 'Move the present stack into a folder next to it, and take its place.',
    },
  ],
  examples: [
    'muniment stack restore muniment-2026-01-31.db --replace',
    'muniment stack restore work.bundle --stack work',
  ],
  notes: [
    'Only a person can, and only under the name the stack had.',
    'The file is audited first; one that is not as it was written ends with 4, and nothing is changed.',
    'Stop every process that uses the stack first. Nothing is deleted: the old stack lies in',
    '<stack>.db.replaced, where erasing does not reach it; delete it when nobody needs it any more.',
    'Every entry comes back as it was written. What was erased since the copy was made is erased again.',
    'A backup in a folder with its receipts and signed heads, such as <stack>.db.replaced, brings them too.',
    'A stack from which something was erased needs its key file too, keys/<uid>, to be written to.',
    'A bundle that somebody rewrote from end to end audits too: compare its head with one you kept.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (typeof input.file !== 'string' || input.file === '') {
      throw notGiven(typed(restore), restore.positionals)
    }
    await assertPerson(session)
    const { host, stackId, home } = session
    ensureHome(home)
    let setAside: string | null = null
    const stack = await host.stacks
      .restore(stackId, {
        home,
        store: session.store,
        from: path.resolve(input.file),
        replace: input.replace === true,
        onSetAside: (folder) => {
          setAside = folder
        },
        onProgress: progressOn(session, 'looks at entries'),
      })
      .catch((error: unknown) => {
        throw withReplace(error)
      })
    try {
      const { total = 0 } = await stack.getStats()
      const report = await stack.ledger.audit()
      const text = (page: Page): readonly string[] => [
        `${page.ink.good('Restored')} “${stackId}”: ${plural(total, 'memory', 'memories')}.`,
        ...auditPage(report, page),
        ...(stack.ledger.lacksKey ? [page.ink.bad(keyMissing(stack.ledger.uid))] : []),
        ...(setAside === null ? [] : [`The stack that stood here lies in ${setAside}`, KEPT]),
      ]
      const restored = { stack: stackId, memories: total, head: report.head, audit: report.ok }
      return ok(setAside === null ? restored : { ...restored, setAside }, text)
    } finally {
      await stack.close()
    }
  },
}

function withReplace(error: unknown): unknown {
  if (!(error instanceof MunimentError)) return error
  if (error.message.includes('not JSON in canonical form')) {
    const hint =
      'Nothing was changed. A file of muniment stack export comes in with: muniment stack import'
    return new MunimentError(error.code, error.message, { hint, facts: error.facts, cause: error })
  }
  if (error.facts.needs !== 'replace') return error
  const hint = 'With --replace it is set aside whole. Stop whoever uses it first.'
  return new MunimentError(error.code, error.message, { hint, facts: error.facts, cause: error })
}

const KEPT = 'Erasing does not reach that folder. Delete it when nobody needs it any more.'

const keyMissing = (uid: string | null): string =>
  `Something was erased from it: before anything is written, copy keys/${uid} from where it was kept.`

async function assertPerson(session: Session): Promise<void> {
  const { person, because } = await session.who()
  if (person) return
  throw new ScopeError(
    `Restoring is for a person to do, and this call is a program’s: ${because}.`,
    {
      hint: 'See: muniment help labels. A program brings memories in with: muniment stack import',
    },
  )
}
