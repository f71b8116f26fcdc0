import type { Ref } from '../../../domain/ids.ts'
import type { LineageStep, Memory } from '../../../engine/read/memory-view.ts'
import type { Withheld } from '../../../engine/read/use-gate.ts'
import type { reads } from '../../../operations/reads.ts'
import { EXIT } from '../exit-codes.ts'
import { auditPage } from '../render/audit.ts'
import { impactTree, sourcesTree, whyPage } from '../render/lineage.ts'
import { workingMemoryPage } from '../render/loaded-memory.ts'
import { memoryPage, memoryTable } from '../render/memory.ts'
import { overviewPage } from '../render/overview.ts'
import type { Page } from '../render/page.ts'
import { explainedPage, recallPage, searchPage, whyNotPage } from '../render/search.ts'
import { table } from '../render/table.ts'
import { grouped, jsonText, plain, plural, shortRef } from '../render/words.ts'
import type { Answer } from '../spec/command.ts'
import { type AnswerContext, type Answers, ok } from './answer.ts'

export const readAnswers: Answers<keyof typeof reads> = {
  search: (found, { input }) =>
    ok(found, (page) =>
      'reasons' in found ? whyNotPage(found, page) : searchPage(found, String(input.query), page),
    ),
  recall: (found, { input }) => ok(found, (page) => recallPage(found, String(input.query), page)),
  explain: (explained) => ok(explained, (page) => explainedPage(explained, page)),
  // A block for a prompt: its invisible characters are escaped already.
  render: (block) => ok(block, () => [plain(block.text)]),
  load: (loaded) => ok(loaded, (page) => workingMemoryPage(loaded, page)),
  list: (memories, asked) => ok(memories, (page) => listPage(memories, asked, page)),
  withheld: (told) => ok(told, (page) => withheldPage(told, page)),
  show: (memory) => ok(memory, (page) => memoryPage(memory, page)),
  why: (why) => ok(why, (page) => whyPage(why, page)),
  trace: (steps) => ok(steps, (page) => sourcesTree(steps, page)),
  impact: (steps, { input }) => ok(steps, (page) => impactPage(input.ref as Ref, steps, page)), // resolved before
  stats: (counts) => ok(counts, (page) => statsPage(counts, page)),
  overview: (found) => ok(found, (page) => overviewPage(found, page)),
  audit: (report) => {
    const text = (page: Page) => auditPage(report, page)
    return { json: report, text, exit: report.ok ? EXIT.ok : EXIT.audit }
  },
  dump: (text, { input }) => dumpAnswer(text, input.format === 'json'),
}

/** With --json, the dump itself in either format; as markdown, text without control characters. */
function dumpAnswer(text: string, isJson: boolean): Answer {
  if (!isJson) return ok({ format: 'markdown', text }, () => [plain(text).trimEnd()])
  const dump: unknown = JSON.parse(text) // written by the stack
  return ok(dump, () => [jsonText(dump)])
}

const LIMIT = 20 // default of the operation

function withheldPage({ tierMin, count, refs, hasMore }: Withheld, { ink }: Page) {
  if (tierMin === 0) return ['Every tier is read unless a use is named: --for plan, --for act']
  const [first] = refs
  if (first === undefined) return [`Nothing like that lies below tier ${tierMin}.`]
  const many = `${hasMore ? 'at least ' : ''}${plural(count, 'memory', 'memories')}`
  return [
    `${many} below tier ${tierMin}:`,
    ...refs.map((ref) => `  ${ink.ref(shortRef(ref))}`),
    ink.faint(`next: muniment why ${shortRef(first)}`),
  ]
}

function listPage(
  memories: readonly Memory[],
  { input }: AnswerContext,
  page: Page,
): readonly string[] {
  const { kind, limit = LIMIT } = input
  const last = memories.at(-1)
  if (!last) return nothing(input)
  const isFull = kind !== undefined && memories.length === Number(limit)
  const more = `There may be more: muniment list ${kind} --after ${last.id.slice(-8)}`
  return [...memoryTable(memories, page), ...(isFull ? [page.ink.faint(more)] : [])]
}

function nothing({ kind, limit: _, ...narrowed }: AnswerContext['input']): readonly string[] {
  if (Object.keys(narrowed).some((field) => field !== 'all')) return ['Nothing here is like that.']
  if (kind === undefined) return ['Nothing is written here yet. Try: muniment note "…"']
  const name = String(kind).replace('_', '-')
  return [
    `There is no ${name.replace('-', ' ')} to show. How to write one: muniment help ${name}`,
    ...(narrowed.all === true
      ? []
      : [`Forgotten, set aside and captured ones too: muniment list ${name} --all`]),
  ]
}

function impactPage(ref: Ref, steps: readonly LineageStep[], page: Page): readonly string[] {
  if (steps.length === 0) return [`Nothing was made from ${page.ink.ref(shortRef(ref))}.`]
  const made = plural(steps.length, 'memory was', 'memories were')
  return [`${made} made from this:`, '', ...impactTree(ref, steps, page)]
}

const COUNTED = 'Captured, forgotten and set aside ones are counted, too: muniment list --all'

function statsPage(counts: Readonly<Record<string, number>>, { ink }: Page): readonly string[] {
  const { total = 0, ...kinds } = counts
  const rows = [...Object.entries(kinds), ['total', total] as const]
  const lines = table(
    rows.map(([kind, count]) => {
      const text = grouped(count)
      return [
        { text: kind, shown: kind === 'total' ? ink.strong(kind) : kind },
        { text, right: true as const },
      ]
    }),
  )
  return total === 0 ? lines : [...lines, ink.faint(COUNTED)]
}
