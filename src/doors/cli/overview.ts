import { GROUPS } from '../../operations/command-groups.ts'

/**
 * The first screen: a written list, so that help loads no schema; a test compares the list with
 * what each command declares.
 */
export const FIRST_SCREEN: Readonly<Record<string, string>> = {
  demo: 'see the whole story on a throw-away stack',
  init: 'make the stack that the next commands write to',
  setup: 'register muniment in Claude Code, Cursor and other clients',
  note: 'save something that you noticed or decided',
  belief: 'save what you hold to be true, with its reason',
  claim: 'save a value: who, what, and the value',
  ask: 'what is true of somebody or something, and who says so',
  search: 'find memories by words and by meaning',
  list: 'the newest memories',
  show: 'one memory with all its fields',
  why: 'where a memory comes from, and what was made from it',
  forget: 'put a memory out of mind; it can come back',
  review: 'what waits for your decision',
  erase: 'destroy the words of a memory for good',
  audit: 'recompute the ledger, and name what was changed',
  adopt: 'bring the memory that Claude Code and other tools already keep',
  sync: 'keep a stack alike on several machines',
  stacks: 'all stacks, and which project uses which',
  serve: 'the explorer and the HTTP interface',
  doctor: 'check that everything here is well',
}

/** Pages of help, named on the last line. */
const PAGES = ['exit-codes', 'labels', 'refs', 'settings', 'environment'] as const

const NAME_WIDTH = Math.max(...Object.keys(FIRST_SCREEN).map((name) => name.length)) + 2

const rows = (lines: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(lines).map(([name, says]) => `  ${name.padEnd(NAME_WIDTH)}${says}`)

export const overview = (): string =>
  [
    'muniment: memory for AI agents that can say where everything comes from.',
    '',
    'Usage: muniment <command> [arguments] [--json] [--stack <id>] [--home <dir>]',
    '',
    ...rows(FIRST_SCREEN),
    '',
    'More, in groups: muniment <group> lists a group',
    ...rows(GROUPS),
    '',
    'Help: muniment help <command>, muniment help <group> <command>',
    `      muniment help ${PAGES.join(', ')}`,
    '',
  ].join('\n')
