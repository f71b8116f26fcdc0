import type { Forgetting } from '../../../engine/change/forget.ts'
import type { TrustAssessment } from '../../../engine/distrust/trust-assessment.ts'
import type { Promoted } from '../../../engine/review/promote.ts'
import type { BroughtBack, ImportReport } from '../../../engine/transfer/import/import-records.ts'
import type { Trusted } from '../../operate/trust.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'
import { age, oneLine, plural, shortRef } from './words.ts'

const BASIS: Readonly<Record<Trusted['basis'], string>> = {
  domain: 'scored in this matter',
  general: 'as was said in general',
  mean: 'the mean of what was scored',
  unknown: 'nothing is known of them',
}

export function trustPage(trust: Trusted, page: Page): readonly string[] {
  const { entityId, domain, score, basis, assessment } = trust
  const who = page.ink.strong(oneLine(entityId))
  const matter = domain === 'general' ? '' : ` in ${oneLine(domain)}`
  return [
    `${who} is trusted ${score.toFixed(2)}${matter}: ${BASIS[basis]}.`,
    ...(assessment ? assessmentLines([assessment], page).map((line) => `  ${line}`) : []),
  ]
}

export const assessmentsPage = (all: readonly TrustAssessment[], page: Page): readonly string[] =>
  all.length === 0
    ? ['Nobody was assessed yet. A person says: muniment trust <who> --score 0.7']
    : assessmentLines(all, page)

const assessmentLines = (all: readonly TrustAssessment[], { now }: Page): readonly string[] =>
  table(
    all.flatMap(({ entityId, dimensions, lastUpdated }) =>
      Object.entries(dimensions).map(([domain, { score }]) => [
        { text: oneLine(entityId) },
        { text: oneLine(domain) },
        { text: score.toFixed(2) },
        { text: age(lastUpdated, now) },
      ]),
    ),
  )

export function promotedPage(promoted: Promoted, { ink }: Page): readonly string[] {
  const { episodesScanned, patternsFound, alreadyKnown, refused } = promoted
  const made = [...promoted.beliefsCreated, ...promoted.suggestionsCreated]
  const found = plural(patternsFound, 'lesson recurs', 'lessons recur')
  return [
    `${plural(episodesScanned, 'episode')} looked at; ${found}, ${alreadyKnown} known already.`,
    ...made.map((ref) => `  ${ink.good('made')}  ${ink.ref(shortRef(ref))}`),
    ...refused.map(
      ({ lesson, message }) => `  ${ink.bad('refused')}  ${oneLine(`${lesson}: ${message}`)}`,
    ),
    ...(promoted.suggestionsCreated.length > 0 ? [ink.faint('  next: muniment review')] : []),
  ]
}

type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const maintainedPage = (stats: Stats): readonly string[] =>
  table(
    Object.entries(stats).map(([component, done]) => [
      { text: component },
      {
        text: oneLine(
          Object.entries(done)
            .map(
              ([name, value]) =>
                `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
            )
            .join(', '),
        ),
      },
    ]),
  )

export const wouldForgetPage = ({ refs, kept }: Forgetting, { ink }: Page): readonly string[] => [
  `${plural(refs.length, 'memory', 'memories')} would be forgotten; ${kept} dormant ones stay.`,
  ...refs.map((ref) => `  ${ink.ref(shortRef(ref))}`),
]

const VOUCH =
  'A person who trusts the file can import it with --vouch: then labels, tiers and actors stay as they were.'

const REFUSALS_SHOWN_MAX = 20 // --json has every one

export function importedPage(
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
  `  Seal, ledger and keys match. The ledger ends at entry ${head.seq}, ${head.hash.slice(0, HASH_SHOWN)}…`,
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

const HASH_SHOWN = 16

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
      `${collapsed} told here before, ${refused.length} refused.`,
    ...table(rows).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more: --json`] : []),
    ...(sourcesMissing === 0 ? [] : [missingLine(sourcesMissing)]),
    ...(isVouched || written === 0 ? [] : [ink.hint(VOUCH)]),
  ]
}
