import type { AuditReport } from '../../../stack/audit-codes.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'
import { oneLine, plural, shortRef, withShortRefs } from './words.ts'

const PROBLEMS_SHOWN_MAX = 20 // --json has every one

export function auditPage(report: AuditReport, page: Page): readonly string[] {
  const { hash, root } = report.head
  const marks = [`  head  ${hash}`, `  root  ${root}`]
  return [...auditVerdict(report, page), ...marks.map(page.ink.faint)]
}

export function auditVerdict(report: AuditReport, { ink }: Page): readonly string[] {
  const { ok, entries, problems } = report
  const size = `${plural(entries, 'entry', 'entries')} recomputed`
  if (ok) {
    const said =
      entries === 0 ? 'Nothing has been written yet.' : 'Everything is as it was written.'
    return [`${ink.good('ok')}  ${size}. ${said}`]
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
  ]
}
