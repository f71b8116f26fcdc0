import { MunimentError } from '../../domain/errors.ts'
import type { AuditReport } from '../../engine/audit/codes.ts'
import type { AuditMark } from '../../engine/audit/range.ts'
import { sinceIn } from '../../engine/audit/since.ts'
import type { InputOf } from '../../operations/operations.ts'
import type { Stack } from '../../stack.ts'
import { headIn } from '../signed-head.ts'
import { type DoorContext, given } from './context.ts'

/** An audit's findings, and the head used for comparison. */
export interface Audited extends AuditReport {
  /** The first entry checked, and the intended last entry, where the audit was partial. */
  readonly since?: number
  readonly to?: number
  readonly against?: ComparedHead
}

interface ComparedHead {
  readonly size: number
  /** A known key signed the head. */
  readonly isSigned: boolean
}

export async function audited(context: DoorContext, input: InputOf<'audit'>): Promise<Audited> {
  const { stack, onProgress } = context
  const { against, since, to, key } = input
  if (against !== undefined) {
    const note = headIn(against)
    if (note === null) throw noHead()
    const held = await opened(stack, note, key)
    return { ...(await stack.ledger.auditAgainst(note)), against: held }
  }
  if (since === undefined && to === undefined) return stack.ledger.audit(given({ onProgress }))
  const [start, held] = await startOf(stack, since ?? 0, key)
  const report = await stack.ledger.audit(given({ since: start, to, onProgress }))
  const first = typeof start === 'number' ? start : start.size
  return { ...report, since: first, ...given({ to, against: held }) }
}

/** The first entry to check; and the given head, if any. */
async function startOf(
  stack: Stack,
  since: string | number,
  key: string | undefined,
): Promise<readonly [number | AuditMark, ComparedHead?]> {
  if (typeof since === 'number') return [since]
  const note = headIn(since)
  const start = sinceIn(note ?? since)
  if (start === null) throw noStart()
  return note === null ? [start] : [start, await opened(stack, note, key)]
}

/** An altered note says nothing about the ledger: the note is refused before accusing anybody. */
async function opened(stack: Stack, note: string, key: string | undefined): Promise<ComparedHead> {
  const { openCheckpoint } = await import('../../ledger/verify/index.ts') // loaded only on need
  const head = openCheckpoint(note, [key ?? (await stack.ledger.verifierKey())])
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

const noStart = (): MunimentError =>
  new MunimentError('invalid_input', 'An audit does not know where to begin.', {
    hint: 'Since is the number of an entry, the mark that an audit printed, or a signed head.',
  })
