import { MunimentError } from '../../../domain/errors.ts'
import { isKind } from '../../../domain/kind-names.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import type { OperationName } from '../../../protocol/operations.ts'
import type { Session } from '../session.ts'

interface Where {
  readonly name: OperationName
  readonly command: string
  readonly session: Session
}

/** The engine says what to call; here is what to type. Everything else about the error stays. */
export function typedHint(error: unknown, where: Where): unknown {
  if (!(error instanceof MunimentError)) return error
  const hint = hintFor(error, where)
  if (hint === undefined || hint === error.hint) return error
  const { code, message, issues, facts } = error
  return new MunimentError(code, message, { hint, issues, facts, cause: error })
}

function hintFor(error: MunimentError, where: Where): string | undefined {
  const { rule } = error.facts
  if (rule === 'lineage') return sourceHint(where)
  switch (error.code) {
    case 'maintenance_mode':
      return 'A person ends it: muniment state ACTIVE'
    case 'scope':
      return error.facts.about === 'token' ? error.hint : personHint(where)
    case 'not_found':
      return error.hint ?? 'What there is: muniment list'
    case 'invalid_ref':
      return error.hint ?? 'A memory is named kind:id, as muniment list shows it.'
    case 'invalid_input':
      return error.hint ?? `muniment help ${where.command}`
    case 'data_loss':
      return 'What is gone: muniment audit'
    case 'store_corrupt':
      return error.hint ?? 'muniment doctor'
    default:
      return error.hint
  }
}

/** The one kind for which a reason in words cannot build the chain: it rests on beliefs. */
const NOT_BY_REASON: ReadonlySet<OperationName> = new Set(['value'])

function sourceHint({ name, command }: Where): string | undefined {
  if (!isKind(name)) return undefined
  const { from } = definitionOf(name).sources
  const [first = 'raw'] = from
  const article = /^[aeiou]/.test(command) ? 'An' : 'A'
  const cite = `${article} ${command} may cite: ${from.join(', ')}. Name one: --from ${first}:1a2b3c4d (see: muniment list ${first})`
  if (NOT_BY_REASON.has(name)) return cite
  return `${cite}\nOr give the reason in words: muniment ${command} … --because "what makes you think so"`
}

function personHint({ session }: Where): string {
  const { because, person } = session.whoWithout()
  const seen = person ? '' : ` This call is a program’s: ${because}.`
  return `Only a person can do this.${seen} See: muniment help labels`
}
