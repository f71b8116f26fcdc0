import type { Ref } from '../../../domain/ids.ts'
import type { EntryPointer, StateResult } from '../../../domain/outcome.ts'
import type { OperationName } from '../../../protocol/operations.ts'
import type { AuditReport } from '../../../stack/audit-codes.ts'
import type { LineageStep, Why } from '../../../stack/explain.ts'
import type { Memory } from '../../../stack/memory-view.ts'
import { EXIT } from '../exit-codes.ts'
import { auditPage } from '../render/audit.ts'
import { impactTree, sourcesTree, whyPage } from '../render/lineage.ts'
import { memoryPage, memoryTable } from '../render/memory.ts'
import type { Page } from '../render/page.ts'
import { table } from '../render/table.ts'
import { plural, shortRef } from '../render/words.ts'
import type { Answer } from '../spec/command.ts'

type Input = Readonly<Record<string, unknown>>

/** What a person sees of each answer; a program gets the answer itself. */
export function answerOf(name: OperationName, input: Input, result: unknown): Answer {
  // operate answers each operation with what the stack's method of that name returns.
  const ok = (text: Answer['text']): Answer => ({ json: result, text, exit: EXIT.ok })
  switch (name) {
    case 'show':
      return ok((page) => memoryPage(result as Memory, page))
    case 'list': {
      const { kind, limit = DEFAULT_LIMIT } = input
      return listAnswer(result as readonly Memory[], { kind: String(kind), limit: Number(limit) })
    }
    case 'why':
      return ok((page) => whyPage(result as Why, page))
    case 'trace':
      return ok((page) => sourcesTree(result as readonly LineageStep[], page))
    case 'impact':
      return ok((page) => impactPage(input.ref as Ref, result as readonly LineageStep[], page))
    case 'audit': {
      const report = result as AuditReport
      const text = (page: Page) => auditPage(report, page)
      return { json: report, text, exit: report.ok ? EXIT.ok : EXIT.audit }
    }
    case 'stats':
      return ok((page) => statsPage(result as Readonly<Record<string, number>>, page))
    case 'state':
      return ok(() => statePage(result as StateResult))
    case 'reject':
      return ok(() => [
        `Rejected in entry ${(result as EntryPointer).seq}. The same words stay out from now on.`,
      ])
    default:
      return ok(() => [])
  }
}

const DEFAULT_LIMIT = 50 // the operation's own

export function listAnswer(
  memories: readonly Memory[],
  { kind, limit }: { readonly kind: string | null; readonly limit: number },
): Answer {
  const last = memories.at(-1)
  const more =
    kind !== null && last && memories.length === limit
      ? [`There may be more: muniment list ${kind} --after ${last.id.slice(-8)}`]
      : []
  return {
    json: memories,
    text: (page) =>
      memories.length === 0
        ? [nothing(kind)]
        : [...memoryTable(memories, page), ...more.map(page.ink.faint)],
    exit: EXIT.ok,
  }
}

const nothing = (kind: string | null): string =>
  kind === null
    ? 'Nothing is written here yet. Try: muniment note "…"'
    : `There is no ${kind.replace('_', ' ')} here yet. How to write one: muniment help ${kind.replace('_', '-')}`

function impactPage(ref: Ref, steps: readonly LineageStep[], page: Page): readonly string[] {
  if (steps.length === 0) return [`Nothing was made from ${page.ink.ref(shortRef(ref))}.`]
  const made = plural(steps.length, 'memory was', 'memories were')
  return [`${made} made from this:`, '', ...impactTree(ref, steps, page)]
}

function statsPage(counts: Readonly<Record<string, number>>, { ink }: Page): readonly string[] {
  const { total = 0, ...kinds } = counts
  const rows = [...Object.entries(kinds), ['total', total] as const]
  return table(
    rows.map(([kind, count]) => {
      const text = count.toLocaleString('en-US')
      return [
        { text: kind, shown: kind === 'total' ? ink.strong(kind) : kind },
        { text, right: true as const },
      ]
    }),
  )
}

const statePage = ({ state, entry }: StateResult): readonly string[] =>
  entry === null ? [state] : [`${state}, since entry ${entry.seq}`]
