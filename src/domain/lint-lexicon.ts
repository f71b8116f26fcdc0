/** Last words of unfinished sentences. */
export const LINT_FRAGMENTS: readonly string[] = [
  'a',
  'an',
  'and',
  'as',
  'at',
  'because',
  'but',
  'by',
  'for',
  'from',
  'if',
  'in',
  'into',
  'of',
  'on',
  'or',
  'that',
  'the',
  'then',
  'to',
  'when',
  'which',
  'with',
]

/** Whole statements that are only placeholders. */
export const LINT_PLACEHOLDERS: readonly string[] = [
  'fixme',
  'n/a',
  'none',
  'null',
  'placeholder',
  'tbd',
  'todo',
  'undefined',
  'xxx',
]

/** Field names that leak into a statement when a template is pasted whole. */
export const LINT_PREFIXES: readonly string[] = [
  'belief',
  'description',
  'episode',
  'goal',
  'name',
  'note',
  'objective',
  'outcome',
  'statement',
  'title',
  'value',
]
