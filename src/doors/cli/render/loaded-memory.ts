import type { Loaded, LoadedItem } from '../../../engine/read/load.ts'
import type { Page } from './page.ts'
import { block, grouped, plural, rewordingsWords, shortRef, wrap } from './words.ts'

/** Working memory as a page: most important first, each text beside its ref. */
export function workingMemoryPage(loaded: Loaded, page: Page): readonly string[] {
  const { _meta: meta } = loaded
  const sections = Object.entries(loaded)
    .flatMap(([name, items]) => (isSection(items) ? [{ name, items }] : []))
    .sort((a, b) => (b.items[0]?.priority ?? 0) - (a.items[0]?.priority ?? 0))
  if (meta.included === 0) {
    const why = meta.excludedCount > 0 ? 'Nothing fits the budget.' : 'Nothing is there to load.'
    return [`${why} What there is: muniment list`]
  }
  const ungrounded = new Set(meta.ungrounded)
  const lines = sections.flatMap(({ name, items }) => [
    page.ink.strong(titleOf(name)),
    ...items.flatMap((item) => itemLines(item, ungrounded.has(item.memory.ref), page)),
    '',
  ])
  return [...lines, page.ink.faint(summaryOf(meta))]
}

/** Components add members beside the sections; those are for programs. */
const isSection = (value: unknown): value is readonly LoadedItem[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => 'memory' in item)

const titleOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())

function itemLines(
  { memory, content, cut, standing = 'held', rewordings }: LoadedItem,
  isUngrounded: boolean,
  { ink, width }: Page,
): readonly string[] {
  const facts = [
    shortRef(memory.ref),
    `tier ${memory.tier}`,
    `confidence ${memory.confidence.toFixed(2)}`,
    memory.strengthTier === 'strong' ? '' : memory.strengthTier,
    cut ? 'cut' : '',
    standing === 'held' ? '' : standing,
    isUngrounded ? 'every source is gone' : '',
    rewordings === undefined ? '' : rewordingsWords(rewordings),
  ]
  const [first = '', ...rest] = block(content).flatMap((line) => wrap(line, width - 4))
  return [
    `  ${first}`,
    ...rest.map((line) => `  ${line}`),
    `    ${ink.faint(facts.filter((part) => part !== '').join(' · '))}`,
  ]
}

function summaryOf(meta: Loaded['_meta']): string {
  const used = `${grouped(meta.budgetUsed)} of ${grouped(meta.budgetTotal)} tokens`
  const left =
    meta.excludedCount === 0 ? 'nothing left out' : `${grouped(meta.excludedCount)} left out`
  const more = meta.more.length === 0 ? '' : `; more behind in ${meta.more.join(', ')}`
  const { count, tierMin, hasMore } = meta.withheld
  const kept =
    count === 0 ? '' : `; ${hasMore ? 'at least ' : ''}${count} below tier ${tierMin} withheld`
  const capped = meta.budgetCapped ? ' (the most there is)' : ''
  return `${plural(meta.included, 'memory', 'memories')}, ${used}${capped}, ${left}${more}${kept}`
}
