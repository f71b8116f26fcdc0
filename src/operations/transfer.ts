import { z } from 'zod'
import type { LabelTiers } from '../domain/doors.ts'
import { ERROR_CODES } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { Dump } from '../engine/transfer/import/dump.ts'
import type { BroughtBack, ImportReport } from '../engine/transfer/import/import-records.ts'
import { given, readerOf } from './context.ts'
import { defineOperation } from './operation.ts'
import * as shape from './shapes.ts'
import type { Page } from './text/page.ts'
import { table } from './text/table.ts'
import { jsonText, oneLine, plain, plural, shortRef } from './text/words.ts'

export const dump = defineOperation({
  name: 'dump',
  group: 'stack',
  summary: 'Every memory as one text: markdown to read, or JSON to import elsewhere.',
  right: 'read',
  input: () =>
    z.strictObject({
      format: z.enum(['markdown', 'json']).default('markdown').describe('How it is written.'),
      includeRaw: z
        .boolean()
        .default(true)
        .describe('Raw captures: the words everything rests on.'),
      includeForgotten: z.boolean().default(false).describe('What was forgotten, too.'),
    }),
  output: () => shape.text,
  example: { format: 'json' },
  notes: ['With --json the JSON dump. For files: muniment stack export, muniment stack import.'],
  examples: ['muniment stack dump --no-raw > memories.md'],
  json: (text, { format }) => (format === 'json' ? JSON.parse(text) : { format, text }),
  run: (context, options) => context.stack.dump({ ...options, ...readerOf(context) }),
  text: (text, { input }) =>
    input.format === 'json' ? [jsonText(JSON.parse(text))] : [plain(text).trimEnd()],
})

export const importDump = defineOperation({
  name: 'import',
  group: 'stack',
  summary: 'Bring your own export back whole, or memories of another stack as a model’s words.',
  right: 'write',
  rises: { field: 'vouch', right: 'person' },
  input: () =>
    z.strictObject({
      dump: z
        .strictObject({
          format: z.string(),
          stack: z.string(),
          memories: z.array(z.unknown()),
          ledger: z.array(z.string()).optional(),
          seal: z.string().nullable().optional(),
        })
        .describe('What export memories.json or dump --format json gives.'),
      vouch: z
        .boolean()
        .default(false)
        .describe('Take labels, tiers and actors as the file says: a person vouches for them.'),
    }),
  output: () =>
    z.strictObject({
      as: z.enum(['own', 'importer']),
      because: shape.maybe,
      whole: z
        .strictObject({
          head: z.strictObject({ seq: shape.count, hash: shape.text }),
          laterEntries: shape.count,
          erasedAgain: shape.count,
        })
        .nullable(),
      total: shape.count,
      written: shape.count,
      unchanged: shape.count,
      collapsed: shape.count,
      refused: shape.list(
        z.strictObject({
          index: shape.count,
          ref: shape.maybe,
          code: z.enum(ERROR_CODES),
          message: shape.text,
        }),
      ),
      sourcesMissing: shape.count,
    }),
  example: { dump: { format: 'muniment/dump/1', stack: 'other', memories: [] } },
  tool: null,
  run: ({ stack, caller, onProgress }, { dump, vouch }) =>
    stack.transfer.import(
      dump as Dump, // the import checks its format
      given({
        grant: vouch ? VOUCHED : undefined,
        by: caller,
        // A local file may be as large as a stack; a served door shares its thread with other calls.
        memoriesMax: caller.door === 'cli' ? undefined : LIMITS.importMemoriesMax,
        onProgress,
      }),
    ),
  text: (report, { input, page }) =>
    importedPage(report, { isVouched: input.vouch === true }, page),
  outcome: ({ refused }) => (refused.length === 0 ? 'ok' : 'refused'),
})

/** A person's vouching restores the recorded tiers; the file itself never vouches. */
const VOUCHED: LabelTiers = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

const VOUCH =
  'A person who trusts the file can import it with --vouch: then labels, tiers and actors stay as they were.'

const REFUSALS_SHOWN_MAX = 20 // --json has every one

function importedPage(
  report: ImportReport,
  { isVouched }: { readonly isVouched: boolean },
  page: Page,
): readonly string[] {
  return report.whole === null
    ? importerPage(report, { isVouched }, page)
    : ownPage(report, report.whole, page)
}

/** An export of this very stack: everything returns as before. */
const ownPage = (
  { total }: ImportReport,
  { head, laterEntries, erasedAgain }: BroughtBack,
  { ink }: Page,
): readonly string[] => [
  `${ink.good('Brought back whole')}: your own export, ${plural(total, 'memory', 'memories')} as they were.`,
  `  Seal, ledger and keys match. The ledger ends at entry ${head.seq}, ${head.hash.slice(0, HEAD_CHARS_SHOWN)}…`,
  ...(laterEntries === 0
    ? []
    : [
        ink.bad(
          `  The file is older than the stack was: ${plural(laterEntries, 'later entry is', 'later entries are')} not in the file.`,
        ),
      ]),
  ...(erasedAgain === 0
    ? []
    : [`  Erased again, because it was erased after this export: ${erasedAgain}.`]),
]

const HEAD_CHARS_SHOWN = 16

const missingLine = (count: number): string =>
  `${plural(count, 'source is', 'sources are')} not in the file, since an export leaves out what was forgotten. ` +
  'What rests on a missing source came in, and why says that the source is missing.'

/** A foreign file: lists imported and refused memories, and the attributed source. */
function importerPage(
  report: ImportReport,
  { isVouched }: { readonly isVouched: boolean },
  { ink }: Page,
): readonly string[] {
  const { total, written, unchanged, collapsed, refused, sourcesMissing, because } = report
  const rows = refused
    .slice(0, REFUSALS_SHOWN_MAX)
    .map(({ index, ref, code, message }) => [
      { text: ref === null ? `number ${index + 1}` : shortRef(ref) },
      { text: code, shown: ink.bad(code) },
      { text: oneLine(message) },
    ])
  const left = refused.length - rows.length
  const words = isVouched
    ? 'Imported as you vouch for them: labels and tiers as the file says.'
    : 'Imported as a model’s words: labelled ModelDerived, tier 1 at most, whatever the file says.'
  return [
    `${words} ${oneLine(because ?? '')}`,
    `${plural(total, 'memory', 'memories')} in the file: ${written} written, ${unchanged} here already, ` +
      `${collapsed} known here before, ${refused.length} refused.`,
    ...table(rows).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more: --json`] : []),
    ...(sourcesMissing === 0 ? [] : [missingLine(sourcesMissing)]),
    ...(isVouched || written === 0 ? [] : [ink.hint(VOUCH)]),
  ]
}
