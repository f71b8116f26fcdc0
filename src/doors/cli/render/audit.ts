import { isRebuilt } from '../../../engine/audit/codes.ts'
import { markText } from '../../../engine/audit/range.ts'
import type { Audited } from '../../operate/audit.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'
import { oneLine, plural, shortRef, withShortRefs } from './words.ts'

const REBUILD = 'The ledger itself is whole. Rows are folded from it anew by: muniment rebuild'
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
