import type { JsonValue } from '../../domain/kinds/json-value.ts'
import type { Answer, AnswerClaim, AnswerValue } from '../../engine/claims/answer.ts'
import type { TimelineStep, TimelinesPage } from '../../engine/claims/timelines.ts'
import type { Page } from './page.ts'
import { speaker } from './speaker.ts'
import { clippedTable } from './table.ts'
import { age, jsonText, oneLine, plural, shortRef } from './words.ts'

const said = (value: JsonValue | null): string =>
  oneLine(typeof value === 'string' ? value : jsonText(value))

/** The valid time, as exactly as given. */
function window({ validFrom, validUntil }: AnswerClaim): string {
  const [from, until] = [validFrom, validUntil].map((date) => date && dayOf(date))
  if (!from && !until) return 'no dates'
  if (!from) return `until ${until}`
  return until ? `${from} to ${until}` : `since ${from}`
}

/** The first moment of a day shows as that day; an exact time is shown to the minute. */
const dayOf = (date: string): string =>
  date.endsWith('T00:00:00.000Z') ? date.slice(0, 10) : date.replace(/:\d{2}\.\d{3}Z$/, 'Z')

function voiceLine(claim: AnswerClaim, { ink, now, isVerbose }: Page): string {
  const { ref, actor, label, saidAt, tier, word } = claim
  const verdict = word === null ? [] : [VERDICTS[word]]
  const sayer = `${speaker(label)} (${oneLine(actor)})`
  const more = isVerbose ? [label, `tier ${tier}`] : []
  const parts = [sayer, ...more, window(claim), age(saidAt, now), ...verdict]
  return `  ${ink.ref(shortRef(ref))}  ${parts.join(' · ')}`
}

/** Words for the verdict on a claim. */
const VERDICTS: Readonly<Record<NonNullable<AnswerClaim['word']>, string>> = {
  affirmed: 'affirmed',
  unknown: 'looked at, and left open',
  denied: 'denied',
  retracted: 'taken back',
}

const BASES: Readonly<Record<AnswerValue['basis'], string>> = {
  'first-hand': 'said first-hand, through too many hands to count',
  model: 'on the word of a model',
  recall: 'on our own words coming back',
}

function restsOn({ evidence, basis, claims }: AnswerValue): string {
  if (claims.some(({ word }) => word === 'affirmed')) {
    return `affirmed by a verdict, ${evidence > 0 ? plural(evidence, 'first-hand source') : BASES[basis]}`
  }
  return evidence > 0 ? plural(evidence, 'first-hand source') : `${BASES[basis]} alone`
}

const strengthOf = (side: AnswerValue, { isVerbose }: Page): string => {
  const { value, band } = side.currency
  const currency = isVerbose ? ` (currency ${value.toFixed(2)})` : ''
  return `${restsOn(side)}, ${BANDS[band]}${currency}`
}

/** Currency measures the time since the last confirmation by a capable source, not truth. */
const BANDS: Readonly<Record<AnswerValue['currency']['band'], string>> = {
  Fresh: 'said lately',
  AgingUnconfirmed: 'not confirmed for a while',
  Decayed: 'long unconfirmed',
}

const sideLines = (side: AnswerValue, page: Page): readonly string[] => [
  `${page.ink.good(said(side.value))}  ${strengthOf(side, page)}`,
  ...side.claims.map((claim) => voiceLine(claim, page)),
]

const HEADS: Readonly<Record<Answer['standing'], string>> = {
  held: '',
  contested: 'Contested. Each of these is said first-hand:',
  unknown: 'Unknown: nothing that was said of it holds then.',
  retracted: 'Retracted: what was said of it was taken back or denied.',
}

/** The values in force, with the claims for each, and other values beside. */
export function answerPage(answer: Answer, page: Page): readonly string[] {
  const { standing, isSaid, values, beside, subject, predicate } = answer
  const head = isSaid ? HEADS[standing] : 'Nothing was ever said of it.'
  const contested = values.at(-1)?.claims.at(-1)
  return [
    ...(head === '' ? [] : [head]),
    ...values.flatMap((side) => sideLines(side, page)),
    ...(beside.length === 0 ? [] : ['', 'Said too, with less authority:']),
    ...beside.flatMap((side) => sideLines(side, page)),
    ...answer.retracted.map((ref) => `  ${page.ink.ref(shortRef(ref))}  taken back or denied`),
    ...answer.erased.map((ref) => `  ${page.ink.ref(shortRef(ref))}  erased`),
    ...(answer.withheld.count === 0
      ? []
      : [
          `  ${plural(answer.withheld.count, 'claim')} below tier ${answer.withheld.tierMin} withheld`,
        ]),
    ...(standing === 'contested' && contested
      ? [
          '',
          page.ink.faint(`  decide: muniment claims adjudicate ${shortRef(contested.ref)} affirm`),
        ]
      : []),
    ...(standing === 'unknown' && values.length === 0
      ? [
          ...(isSaid
            ? [
                `  all that was said: muniment claims timeline "${oneLine(subject)}" "${oneLine(predicate)}"`,
              ]
            : []),
          `  what else is said: muniment ask "${oneLine(subject)}"`,
        ].map(page.ink.faint)
      : []),
  ]
}

/** One row for each predicate; a dispute shows every side. */
export function subjectPage(answers: readonly Answer[], page: Page): readonly string[] {
  if (answers.length === 0)
    return [
      'No claim answers this. Notes and beliefs: muniment search "…". A claim: muniment claim "…" "…" "…"',
    ]
  return clippedTable(
    answers.map(({ predicate, standing, values }) => [
      { text: oneLine(predicate) },
      { text: standing },
      {
        text: values.map(({ value }) => said(value)).join(standing === 'contested' ? ' | ' : ', '),
      },
    ]),
    page.width,
  )
}

/** One row for each timeline of any subject. */
export function linesPage({ lines, before }: TimelinesPage, page: Page): readonly string[] {
  if (lines.length === 0) return ['Nothing of that is claimed. Try: muniment claim "…" "…" "…"']
  const rows = lines.map(({ subject, predicate, standing, values, valueCount }) => {
    const shown = values.map(said).join(standing === 'contested' ? ' | ' : ', ')
    const more = valueCount > values.length ? `, … ${valueCount} in all` : ''
    return [
      { text: oneLine(subject) },
      { text: oneLine(predicate) },
      { text: standing },
      { text: `${shown}${more}` },
    ]
  })
  const next =
    before === null
      ? []
      : [page.ink.faint(`the next: muniment claims timelines --before ${before}`)]
  return [...clippedTable(rows, page.width), ...next]
}

/** A timeline: one row for each claim, with its standing today. */
export function linePage(steps: readonly TimelineStep[], page: Page): readonly string[] {
  if (steps.length === 0) return ['Nothing was ever said of it.']
  const rows = steps.map((step) => [
    { text: window(step) },
    { text: STATUS_WORDS[step.status] },
    { text: shortRef(step.ref), shown: page.ink.ref(shortRef(step.ref)) },
    { text: oneLine(step.actor) },
    { text: `said ${(step.restatedAt ?? step.saidAt).slice(0, 10)}` },
    { text: said(step.value) },
  ])
  const contested = steps.findLast(({ status }) => status === 'contested')
  const decide =
    contested && `  decide: muniment claims adjudicate ${shortRef(contested.ref)} affirm`
  return [
    ...clippedTable(rows, page.width),
    ...(decide === undefined ? [] : ['', page.ink.faint(decide)]),
  ]
}

const STATUS_WORDS: Readonly<Record<TimelineStep['status'], string>> = {
  held: 'held',
  contested: 'contested',
  beside: 'also said',
  replaced: 'replaced',
  past: 'past',
  planned: 'planned',
  retracted: 'taken back',
  denied: 'denied',
  set_aside: 'set aside',
}
