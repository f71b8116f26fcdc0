import type { Standing } from './check.ts'
import { ISSUES } from './issues.ts'
import { INVARIANT_ENTRIES, type Requirement, SEED_FAMILIES } from './manifest.ts'

const MADE_BY =
  '<!-- Written by `npm run manifest -- --write`. Edit the manifest, not this page. -->'

/** The generated pages by path. */
export function documents(all: readonly Standing[]): ReadonlyMap<string, string> {
  return new Map([
    ['docs/invariants.md', invariantsPage(all)],
    ['docs/seed-coverage.md', seedPage(all)],
  ])
}

function invariantsPage(all: readonly Standing[]): string {
  return page([
    '# Invariants',
    MADE_BY,
    'What Muniment promises. Each promise has a name, a sentence and the tests that hold it; ' +
      'a promise that is not yet held says with which part of the work it comes.',
    countOf(pick(all, INVARIANT_ENTRIES)),
    table(pick(all, INVARIANT_ENTRIES)),
  ])
}

function seedPage(all: readonly Standing[]): string {
  const families = SEED_FAMILIES.flatMap(({ name, entries }) => [
    `## ${name}`,
    countOf(pick(all, entries)),
    table(pick(all, entries)),
  ])
  return page([
    '# Seed requirements',
    MADE_BY,
    'What the seed documents ask of a memory, in our words, one row for each requirement: ' +
      'P provenance, S stack, F firewall, L ledger.',
    ...families,
  ])
}

function pick(all: readonly Standing[], entries: readonly Requirement[]): readonly Standing[] {
  const ids = new Set(entries.map(({ id }) => id))
  return all.filter(({ id }) => ids.has(id))
}

function countOf(entries: readonly Standing[]): string {
  const held = entries.filter(({ status }) => status === 'held').length
  return `${held} of ${entries.length} held.`
}

function table(entries: readonly Standing[]): string {
  const rows = entries.map(({ id, says, due, status, heldBy }) => {
    const where = status === 'held' ? heldBy.map(link).join('<br>') : `pending: *${ISSUES[due]}*`
    return `| ${id} | ${says.replaceAll('|', '\\|')} | ${where} |`
  })
  return ['| id | promise | held by |', '|---|---|---|', ...rows].join('\n')
}

const link = (path: string): string => `[${path}](../${path})`

const page = (blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`
