import { MunimentError } from '../../../domain/errors.ts'
import {
  type BundleVerdict,
  type ErasureVerdict,
  openCheckpoint,
  type ReceiptVerdict,
  type VerifyCode,
  verifyBundle,
  verifyErasure,
  verifyReceipt,
} from '../../../ledger/verify/index.ts'
import { headIn } from '../../../operations/audit.ts'
import type { Page } from '../../../operations/text/page.ts'
import { oneLine, plural, shortRef } from '../../../operations/text/words.ts'
import { EXIT } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { type Answer, type Command, typed } from '../spec/command.ts'
import { fileText, notGiven, stdinText } from './input.ts'

/** Checks a document against a key, so the command needs no stack. */
export const check: Command = {
  name: 'check',
  group: 'ledger',
  summary: 'Check a receipt, a certificate of an erasure, a signed head or a bundle, from a file.',
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'What prove, certificate, erase --json or checkpoint wrote. “-” reads stdin.',
    },
  ],
  options: [
    {
      field: 'key',
      flag: 'key',
      aliases: [],
      reading: { type: 'text' },
      many: false,
      group: 'body',
      help: 'The public key you trust, as checkpoint prints it. Otherwise that of the stack here.',
    },
    {
      field: 'head',
      flag: 'head',
      aliases: [],
      reading: { type: 'text' },
      many: false,
      group: 'body',
      help: 'For a bundle: the file with the signed head that you hold of that stack.',
    },
  ],
  examples: [
    'muniment ledger prove belief:1a2b3c4d > receipt.json',
    'muniment ledger check receipt.json',
    'muniment ledger check erased.json --key "muniment+1a2b3c4d+…"',
    'muniment ledger check whole.bundle --head head.txt',
  ],
  notes: [
    'Ends with 4 when it does not hold. It proves what the log says, by somebody with that key;',
    'with the key of the stack itself it only proves that the paper is this stack’s.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { file, key, head } = input
    if (typeof file !== 'string' || file === '') throw notGiven(typed(check), check.positionals)
    const trusted = typeof key === 'string' ? key : await ownKey(session)
    if (typeof head === 'string') {
      return answerTo(await bundleChecked(session, { file, head, key: trusted }))
    }
    const text = file === '-' ? await stdinText(session) : await fileText(file)
    if (text.startsWith(BUNDLE)) throw noHead()
    return answerTo(await checked(session, text, trusted))
  },
}

async function ownKey(session: Session): Promise<string> {
  try {
    return await session.withStack('existing', (stack) => stack.ledger.verifierKey())
  } catch (cause) {
    throw new MunimentError('invalid_input', 'There is no stack here whose key would be known.', {
      hint: 'Name the key you trust: --key "name+id+key", as checkpoint prints it.',
      cause,
    })
  }
}

/** Beginning of a bundle's first line; its canonical form allows no other. */
const BUNDLE = '{"counts":{'

async function bundleChecked(
  { host }: Session,
  { file, head, key }: { readonly file: string; readonly head: string; readonly key: string },
): Promise<Checked> {
  const checkpoint = headIn(await fileText(head)) ?? ''
  const lines = await host.stacks.bundleLines(file)
  const verdict = await verifyBundle(lines, { keys: [key], checkpoint })
  const { ok, codes, seq } = verdict
  return { paper: 'bundle', ok, codes, says: ok ? bundleWords(verdict) : firstBad(seq) }
}

/** The sender of a bundle may have appended entries after the head held here. */
function bundleWords({ header, checkpoint }: BundleVerdict): readonly string[] {
  const covered = checkpoint?.size ?? 0
  const behind = (header?.counts.entries ?? 0) - covered
  const words = `${plural(covered, 'entry', 'entries')} of ${header?.stack}, as the head has them`
  const more = `${plural(behind, 'entry', 'entries')} behind the head, which it says nothing about`
  return behind > 0 ? [words, more] : [words]
}

const firstBad = (seq: number | null): readonly string[] =>
  seq === null ? [] : [`The first that is not so is entry ${seq}.`]

const noHead = (): MunimentError =>
  new MunimentError('invalid_input', 'A bundle is checked against a signed head.', {
    hint: 'Keep what checkpoint prints in a file, and name it: --head head.txt',
  })

interface Checked {
  /** Null for an unknown format. */
  readonly paper: 'receipt' | 'certificate' | 'head' | 'bundle' | null
  readonly ok: boolean
  readonly codes: readonly VerifyCode[]
  /** The proven facts, in words. */
  readonly says: readonly string[]
}

async function checked(session: Session, text: string, key: string): Promise<Checked> {
  const head = text.trimStart().startsWith('{') ? null : headIn(text)
  if (head !== null) return headChecked(head, key)
  const value = (await session.host.jsonParser())(text) as Partial<Record<string, unknown>> | null
  const paper = isErasure(value) ? value.certificate : value
  const { format, note } = Object(paper) as Readonly<Record<string, unknown>>
  if (typeof note === 'string') return headChecked(note, key)
  if (String(format).startsWith('muniment/receipt/'))
    return receiptChecked(verifyReceipt(paper, { keys: [key] }))
  const found = certificateChecked(verifyErasure(paper, { keys: [key] }))
  return String(format).startsWith('muniment/erasure/') ? found : { ...found, paper: null }
}

/** Output of `erase --json`, with the certificate among its members. */
const isErasure = (value: unknown): value is { readonly certificate: unknown } =>
  typeof value === 'object' && value !== null && 'certificate' in value

function headChecked(note: string, key: string): Checked {
  const head = openCheckpoint(note, [key])
  if (typeof head === 'string') return { paper: 'head', ok: false, codes: [head], says: [] }
  const says = [
    `${plural(head.size, 'entry', 'entries')} of ${oneLine(head.origin)}, root ${head.root}`,
  ]
  return { paper: 'head', ok: true, codes: [], says }
}

function receiptChecked({ ok, codes, entry, checkpoint }: ReceiptVerdict): Checked {
  const says =
    entry && checkpoint
      ? [
          `Entry ${entry.seq}, ${entry.op}${entry.ref === null ? '' : ` of ${shortRef(entry.ref)}`}, at ${entry.time}`,
          `in a log of ${plural(checkpoint.size, 'entry', 'entries')}: ${oneLine(checkpoint.origin)}`,
        ]
      : []
  return { paper: 'receipt', ok, codes, says }
}

function certificateChecked({ ok, codes, statement, entries }: ErasureVerdict): Checked {
  const says =
    statement === null
      ? []
      : [
          `${plural(entries.length, 'erasure')} in ${oneLine(statement.origin)}, issued ${statement.issuedAt}`,
          ...entries.map(
            ({ seq, ref, time }) =>
              `  entry ${seq}  ${ref === null ? 'the key of an actor' : shortRef(ref)}  ${time}`,
          ),
          `basis: ${statement.basis.join(', ')}`,
        ]
  return { paper: 'certificate', ok, codes, says }
}

const DOCUMENTS: Readonly<Record<NonNullable<Checked['paper']>, string>> = {
  receipt: 'receipt',
  certificate: 'certificate of an erasure',
  head: 'signed head',
  bundle: 'bundle',
}

const answerTo = (found: Checked): Answer => ({
  json: found,
  text: (page) => checkedPage(found, page),
  exit: found.ok ? EXIT.ok : EXIT.audit,
})

function checkedPage({ paper, ok, codes, says }: Checked, { ink }: Page): readonly string[] {
  const what = paper === null ? 'This' : `This ${DOCUMENTS[paper]}`
  const isStranger = codes.length > 0 && codes.every((code) => code === 'signature.unknown')
  const verdict = ok
    ? `${ink.good('ok')}  ${what} holds.`
    : isStranger
      ? `${ink.bad('NOT KNOWN')}  The key that signed this is not known here, so nothing can be said of it.`
      : `${ink.bad('DOES NOT HOLD')}  ${what} is ${paper === null ? 'no paper of a stack' : 'not what it says it is'}.`
  const found = codes.map((code) => `  ${code}  ${WORDS[code]}`)
  const told = ok || paper === 'bundle' ? says.map((line) => `  ${line}`) : []
  return [verdict, ...told, ...found]
}

const WORDS: Readonly<Record<VerifyCode, string>> = {
  'receipt.malformed': 'it is no receipt',
  'leaf.mismatch': 'the entry in it is not one',
  'commitment.mismatch': 'the words are not those that were written',
  'content.withheld': 'the words are left out',
  'content.erased': 'the words were erased, and the log says so',
  'erasure.mismatch': 'what is said to be erased is there, or nothing in the log says so',
  'note.malformed': 'it holds no signed note',
  'signature.unknown': 'another key signed it: name the one you trust with --key',
  'signature.invalid': 'it was altered since it was signed',
  'checkpoint.malformed': 'what was signed is no head of a log',
  'origin.mismatch': 'its parts are of different logs',
  'inclusion.fail': 'the entry is not in that log',
  'head.rollback': 'the log is shorter than it was',
  'consistency.fail': 'the log does not extend what it was',
  'bundle.malformed': 'it is no bundle, or was altered since it was written',
  'content.missing': 'words that were written are not in it, and nothing erased them',
  'certificate.malformed':
    'it is nothing that can be checked: a receipt, a certificate of an erasure, a signed head or a bundle can',
  'certificate.mismatch': 'its statement and its entries disagree',
}
