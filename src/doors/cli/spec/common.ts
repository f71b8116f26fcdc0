import type { Option } from './command.ts'

type Common = Pick<Option, 'flag' | 'help'> & { readonly takes: string | null }

/**
 * Options of every command. They are known before a command is loaded, so the list stands alone.
 */
export const COMMON: readonly Common[] = [
  { flag: 'json', takes: null, help: 'Print one JSON value on stdout and nothing else.' },
  { flag: 'ndjson', takes: null, help: 'The same, one value of a list on each line.' },
  {
    flag: 'stack',
    takes: '<id>',
    help: 'Which stack. Otherwise $MUNIMENT_STACK, the stack of the project you are in, or "default".',
  },
  {
    flag: 'project',
    takes: '<dir>',
    help: 'Use the stack of the project in this folder, and no other: muniment stacks.',
  },
  {
    flag: 'home',
    takes: '<dir>',
    help: 'Where stacks are kept. Otherwise $MUNIMENT_HOME, otherwise ~/.muniment.',
  },
  {
    flag: 'store',
    takes: '<address>',
    help: 'Stacks in PostgreSQL: postgres://… Otherwise $MUNIMENT_STORE, otherwise files at home.',
  },
  { flag: 'session', takes: '<id>', help: 'The session this belongs to, for its provenance.' },
  {
    flag: 'token',
    takes: '<token>',
    help: 'A personal token, which makes this call a person’s. Otherwise $MUNIMENT_TOKEN.',
  },
  {
    flag: 'model',
    takes: '<id>',
    help: 'The model whose words these are. Otherwise $MUNIMENT_MODEL.',
  },
  {
    flag: 'config',
    takes: '<file>',
    help: 'A file of settings (muniment help settings). Otherwise $MUNIMENT_CONFIG.',
  },
  { flag: 'help', takes: null, help: 'Show this page.' },
]

const INPUT: Common = {
  flag: 'input',
  takes: '<file>',
  help: 'The whole input as JSON, from a file or from stdin with "-".',
}

export const commonOptions = (takesInput: boolean): readonly Common[] =>
  takesInput ? [INPUT, ...COMMON] : COMMON
