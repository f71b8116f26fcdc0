import { z } from 'zod'
import { MunimentError, once } from '../domain/errors.ts'
import {
  type AuditMark,
  type AuditReport,
  isRebuilt,
  markText,
  sinceIn,
} from '../engine/audit/codes.ts'
import type { Stack } from '../stack.ts'
import { type DoorContext, given } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { oneLine, plural, shortRef, withShortRefs } from './text/words.ts'

const auditInput = once(() =>
  z.strictObject({
    against: z
      .string()
      .optional()
      .describe('A signed head that was kept elsewhere, as text: it catches a full rewrite.'),
    key: z
      .string()
      .optional()
      .describe('The public key that signed it, where that is not this stack’s own.'),
    since: z
      .union([z.string(), z.int().min(0)])
      .optional()
      .describe(
        'The chain alone, from here on: the number of an entry, the mark of an audit before, or a signed head.',
      ),
    to: z
      .int()
      .min(0)
      .optional()
      .describe('The last entry to look at; the chain alone, up to there.'),
  }),
)

type AuditInput = z.output<ReturnType<typeof auditInput>>

const auditShape = z.strictObject({
  ok: z.boolean(),
  head: z.strictObject({ seq: shape.seq, hash: shape.text, root: shape.text }),
  entries: shape.count,
  mark: z.strictObject({ size: shape.count, root: shape.text }).nullable(),
  problems: shape.list(
    z.strictObject({
      code: shape.text,
      seq: shape.seq,
      ref: shape.text.optional(),
      detail: shape.text,
    }),
  ),
  notes: shape.list(
    z.strictObject({ code: shape.text, seq: shape.seq, ref: shape.text, by: shape.seq }),
  ),
  since: shape.count.optional(),
  against: z.strictObject({ size: shape.count, isSigned: z.boolean() }).optional(),
})

export const audit = defineOperation({
  name: 'audit',
  group: 'first',
  summary: 'Recompute the whole ledger and name the first thing that is not so.',
  right: 'read',
  input: auditInput,
  output: () => auditShape,
  example: {},
  notes: [
    'Ends with 4 when something is not as it was written.',
    '--against takes a file with what checkpoint printed, or “-” for stdin. A full rewrite of the',
    'ledger shows in no other way.',
  ],
  examples: ['muniment audit --against head.txt', 'muniment audit --since 0 --to 99'],
  progress: 'entries',
  run: audited,
  text: (report, { page }) => auditPage(report, page),
  outcome: ({ ok }) => (ok ? 'ok' : 'audit'),
})

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

async function audited(context: DoorContext, input: AuditInput): Promise<Audited> {
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
  const { openCheckpoint } = await import('../ledger/verify/index.ts') // loaded only on need
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

const SIGNED = '\u2014 '

/**
 * The signed note in a text, in any form: plain, behind a page's margin, or in the JSON of a
 * checkpoint. Null without a note.
 */
export function headIn(text: string): string | null {
  const lines = noteOf(text)
    .split(/\r?\n/)
    .map((line) => line.trim())
  const first = lines.findIndex((line) => line.startsWith(SIGNED))
  if (first < 2 || lines[first - 1] !== '') return null
  const above = lines.slice(0, first - 1)
  const said = above.slice(above.lastIndexOf('') + 1)
  const rest = lines.slice(first)
  const end = rest.findIndex((line) => !line.startsWith(SIGNED))
  const signatures = end < 0 ? rest : rest.slice(0, end)
  return `${said.join('\n')}\n\n${signatures.join('\n')}\n`
}

function noteOf(text: string): string {
  if (!text.trimStart().startsWith('{')) return text
  try {
    const { note } = JSON.parse(text) as { readonly note?: unknown } // checked below
    return typeof note === 'string' ? note : text
  } catch {
    return text
  }
}

const REBUILD =
  'The ledger itself is whole. Rows are folded from it anew by: muniment stack rebuild'

const PROBLEMS_SHOWN_MAX = 20 // --json has every one

export function auditPage(report: Audited, page: Page): readonly string[] {
  const { hash, root } = report.head
  const isPart = report.since !== undefined
  const marks = [
    `  head  ${hash}`,
    `  root  ${root}`,
    ...(isPart && report.mark ? [`  mark  ${markText(report.mark)}`] : []),
  ]
  return [...auditVerdict(report, page), ...marks.map(page.ink.faint)]
}

function soundWords({ entries, since, to }: Audited): string {
  if (entries === 0 && since === undefined) return 'Nothing has been written yet.'
  if (since === undefined) return 'Everything is as it was written.'
  const part = to === undefined ? `From entry ${since} on` : `From entry ${since} to ${to}`
  return `${part} the chain is as it was written; nothing else was looked at.`
}

function agreesWords({ against }: Audited): readonly string[] {
  if (against === undefined) return []
  const said = `It agrees with the head that was kept: ${plural(against.size, 'entry', 'entries')}.`
  return against.isSigned
    ? [`  ${said}`]
    : [`  ${said}`, '  Another key signed that head: with --key its signature is checked, too.']
}

export function auditVerdict(report: Audited, { ink }: Page): readonly string[] {
  const { ok, entries, problems } = report
  const size = `${plural(entries, 'entry', 'entries')} recomputed`
  if (ok) {
    return [`${ink.good('ok')}  ${size}. ${soundWords(report)}`, ...agreesWords(report)]
  }
  const [first] = problems
  const named = first?.ref === undefined ? '' : `, ${shortRef(first.ref)}`
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX)
  const left = problems.length - shown.length
  const rows = shown.map(({ code, seq, ref, detail }) => [
    { text: `entry ${seq}` },
    { text: code, shown: ink.bad(code) },
    { text: ref === undefined ? '' : shortRef(ref) },
    { text: withShortRefs(oneLine(detail)) },
  ])
  return [
    `${ink.bad('NOT AS WRITTEN')}  ${size}, ${plural(problems.length, 'problem')}.`,
    ...(first ? [`Look first at entry ${first.seq}${named}.`] : []),
    ...table(rows).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more: muniment audit --json`] : []),
    ...(isRebuilt(problems) ? [REBUILD] : []),
  ]
}
