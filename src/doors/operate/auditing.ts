import { MunimentError } from '../../domain/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { AuditReport } from '../../stack/audit-codes.ts'
import type { Stack } from '../../stack/stack.ts'
import { headIn } from '../signed-head.ts'
import { type DoorContext, given } from './context.ts'

/** What an audit found, and what it was held against. */
export interface Audited extends AuditReport {
  /** The first entry that was looked at, where not all were. */
  readonly since?: number
  readonly against?: {
    /** How many entries the head covers that was kept elsewhere. */
    readonly size: number
    /** Whether a key that is known here signed it. */
    readonly isSigned: boolean
  }
}

export async function audited(
  { stack, onProgress }: DoorContext,
  { against, since, key }: InputOf<'audit'>,
): Promise<Audited> {
  if (against === undefined) {
    const report = await stack.audit(given({ since, onProgress }))
    return since === undefined ? report : { ...report, since }
  }
  const note = headIn(against)
  if (note === null) throw noHead()
  const held = await opened(stack, note, key)
  return { ...(await stack.auditAgainst(note)), against: held }
}

/** A note that was altered says nothing about the ledger: it is refused before it accuses anybody. */
async function opened(
  stack: Stack,
  note: string,
  key: string | undefined,
): Promise<NonNullable<Audited['against']>> {
  const { openCheckpoint } = await import('../../verify/index.ts') // paid for by those who need it
  const head = openCheckpoint(note, [key ?? (await stack.verifierKey())])
  if (typeof head !== 'string') return { size: head.size, isSigned: true }
  if (head === 'signature.invalid') {
    throw new MunimentError('invalid_input', 'The note is not as it was signed.', {
      hint: 'It was altered since, and says nothing about the ledger. Take the one you kept.',
    })
  }
  if (head !== 'signature.unknown') throw noHead()
  if (key !== undefined) {
    throw new MunimentError('invalid_input', 'That key did not sign the note.', {
      hint: 'The key is the line that checkpoint prints last: name+id+key.',
    })
  }
  const [, size = ''] = note.split('\n')
  return { size: Number(size), isSigned: false }
}

const noHead = (): MunimentError =>
  new MunimentError('invalid_input', 'That is not a signed head.', {
    hint: 'It is what checkpoint printed: keep all of it in a file, and give the file.',
  })
