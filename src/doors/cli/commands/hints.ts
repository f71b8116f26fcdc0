import { MunimentError } from '../../../domain/errors.ts'
import { isKind, type Kind } from '../../../domain/ids.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import { loadOperation } from '../../../operations/catalog.ts'
import { typedAs } from '../../../operations/command-groups.ts'
import type { OperationName } from '../../../operations/operations.ts'
import { shortRef } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import type { Session } from '../session.ts'

interface Where {
  readonly name: OperationName
  readonly command: string
  readonly session: Session
  /** Null where opening the stack failed. */
  readonly stack: Stack | null
}

/** Adds to an engine's error the command to type. Everything else about the error stays. */
export async function typedHint(error: unknown, where: Where): Promise<unknown> {
  if (!(error instanceof MunimentError)) return error
  const hint = await hintFor(error, where)
  if (hint === undefined || hint === error.hint) return error
  const { code, message, issues, facts } = error
  return new MunimentError(code, message, { hint, issues, facts, cause: error })
}

async function hintFor(error: MunimentError, where: Where): Promise<string | undefined> {
  const { rule, reason, ref, keptOutBy, otherwise, needs } = error.facts
  if (typeof keptOutBy === 'string') {
    return `A person lets them back in: muniment trust readmit ${shortRef(keptOutBy)}`
  }
  if (rule === 'lineage') return sourceHint(where)
  if (typeof needs === 'string' && Object.hasOwn(NEEDED, needs)) return NEEDED[needs]
  if (reason === 'protected' && typeof ref === 'string') {
    return `First: muniment memory protect ${shortRef(ref)} --off`
  }
  if (otherwise !== undefined && typeof ref === 'string') {
    return `If it shall not be: muniment review ${shortRef(ref)} ${otherwise}`
  }
  if (reason === 'set_aside' && typeof ref === 'string') {
    return `First: muniment memory recover ${shortRef(ref)}`
  }
  switch (error.code) {
    case 'maintenance_mode':
      return 'A person ends it: muniment stack state ACTIVE'
    case 'scope':
      return error.facts.about === 'token' ? error.hint : personHint(where)
    case 'not_found':
      return notFoundHint(error, where)
    case 'invalid_ref':
      return error.hint ?? 'A memory is named kind:id, as muniment list shows it.'
    case 'invalid_input':
      return error.hint ?? `muniment help ${where.command}`
    case 'data_loss':
      return error.hint ?? 'What is gone: muniment audit'
    case 'store_corrupt':
      return error.hint ?? 'muniment doctor'
    default:
      return error.hint
  }
}

/** The command that has to come first, by operation. */
const NEEDED: Readonly<Record<string, string>> = {
  begin: 'One begins with: muniment agent begin "its name"',
  use: 'Tell of each use: muniment agent use <ref>',
}

function notFoundHint({ hint, facts }: MunimentError, { name }: Where): string {
  const there = `What there is: muniment ${name === 'review' ? 'review' : 'list'}`
  if (hint === undefined) return there
  const isSaid = facts.named === undefined || hint.includes(there) // asked while open, and after
  return isSaid ? hint : `${hint}\n${there}`
}

/** A value rests on beliefs, so a reason in words cannot replace its source. */
const NOT_BY_REASON: ReadonlySet<OperationName> = new Set(['value'])

/** Suggests a kind with memories where possible: an empty list would help nobody. */
async function sourceHint({ name, command, stack }: Where): Promise<string | undefined> {
  const kind: Kind | undefined = name === 'supersede' ? 'belief' : isKind(name) ? name : undefined
  if (kind === undefined || stack === null) return undefined
  const { from } = definitionOf(kind).sources
  const article = /^[aeiou]/.test(kind) ? 'An' : 'A'
  const may = `${article} ${kind.replace('_', ' ')} may cite: ${from.join(', ')}.`
  const byReason = NOT_BY_REASON.has(name)
    ? []
    : [`Or give the reason in words: muniment ${command} … --because "what makes you think so"`]
  const counts = await stack.getStats()
  const there = from.find((each) => (counts[each] ?? 0) > 0)
  if (there !== undefined) {
    const cite = `${may} Name one: --from ${there}:1a2b3c4d (see: muniment list ${there} --all)`
    return [cite, ...byReason].join('\n')
  }
  const [first = 'raw'] = from
  const { group } = await loadOperation(first)
  const none = `${may} There is none yet; how to write one: muniment help ${typedAs(first, group)}`
  return [none, ...byReason].join('\n')
}

function personHint({ session }: Where): string {
  const { because, person } = session.whoWithout()
  const seen = person ? '' : ` This call is a program’s: ${because}.`
  return `Only a person can do this.${seen} See: muniment help labels`
}
