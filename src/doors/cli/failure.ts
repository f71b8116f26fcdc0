import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import type { Ink } from '../../operations/text/page.ts'
import { block, oneLine, withShortRefs } from '../../operations/text/words.ts'
import { EXIT, exitOf } from './exit-codes.ts'
import { flagFor } from './spec/names.ts'

/** The exact members of a failure on stdout with --json. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly issues: readonly FieldIssue[]
}

/** The message of an issue about a missing field. */
export const MISSING = 'is missing'

const REPORT = 'This is a fault in muniment. Please report it, with what you typed.'

export function failureOf(error: unknown): Failure {
  if (error instanceof MunimentError) {
    const { code, message, issues } = error
    return { code, message, hint: error.hint ?? fallbackHint(error), issues }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'invariant', message, hint: REPORT, issues: [] }
}

function fallbackHint(error: MunimentError): string | null {
  if (error.code === 'invariant') return REPORT
  return exitOf(error) === EXIT.usage ? 'How it is used: muniment help' : null
}

/** A usage mistake, with a command to type instead. */
export const usageError = (
  message: string,
  hint: string,
  issues: readonly FieldIssue[] = [],
): MunimentError => new MunimentError('invalid_input', message, { hint, issues })

export function failureText({ message, hint, issues }: Failure, ink: Ink): string {
  const said = issues.reduce((text, { path }) => text.replaceAll(path, typed(path)), message)
  const lines = [`${ink.bad('muniment:')} ${withShortRefs(oneLine(said))}`]
  // The message already names missing fields.
  for (const { path, message: what } of issues.filter(({ message: what }) => what !== MISSING)) {
    lines.push(`  ${ink.strong(oneLine(typed(path)))}  ${oneLine(what)}`)
  }
  if (hint !== null) lines.push(...block(hint).map((line) => `  ${ink.hint(line)}`))
  return `${lines.join('\n')}\n`
}

/**
 * A field as a person types it: only fields of several words have another name on the command line.
 */
const typed = (path: string): string =>
  /^[a-z]+[A-Z][A-Za-z]*$/.test(path)
    ? `--${path === 'stackId' ? 'stack' : flagFor({ field: path, many: false, command: '' })}`
    : path
