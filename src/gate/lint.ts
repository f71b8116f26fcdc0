import { LINT_FRAGMENTS, LINT_PLACEHOLDERS, LINT_PREFIXES } from '../domain/words/lexicons.ts'

export interface LintBounds {
  readonly min: number
  readonly max: number
}

const fragments: ReadonlySet<string> = new Set(LINT_FRAGMENTS)
const placeholders: ReadonlySet<string> = new Set(LINT_PLACEHOLDERS)
const prefixes = new RegExp(`^\\s*(?:${LINT_PREFIXES.join('|')})\\s*:`, 'iu')
const ONLY_MARKS = /^[\p{P}\p{S}\s]+$/u
const ONE_CHARACTER_OVER_AND_OVER = /^(.)\1{4,}$/u
const UNFINISHED = /\.\.+\s*$|…\s*$/u

/** Codes for noise in a statement; none when the statement reads as a sentence. */
export function lintStatement(statement: string, { min, max }: LintBounds): readonly string[] {
  const text = statement.trim()
  const length = [...text].length
  // Looking further would take time that grows with the square of the length.
  if (length > max) return ['too_long']
  const reasons: string[] = []
  if (length < min) reasons.push('too_short')
  if (prefixes.test(text)) reasons.push('prefix_artifact')
  if (isTemplated(text)) reasons.push('templated_noise')
  if (endsInFragment(text)) reasons.push('trailing_fragment')
  return reasons
}

const isTemplated = (text: string): boolean =>
  placeholders.has(text.toLowerCase()) ||
  ONLY_MARKS.test(text) ||
  ONE_CHARACTER_OVER_AND_OVER.test(text) ||
  UNFINISHED.test(text)

function endsInFragment(text: string): boolean {
  const last = /(\p{L}+)$/u.exec(text.toLowerCase())?.[1]
  return last !== undefined && last !== text.toLowerCase() && fragments.has(last)
}
