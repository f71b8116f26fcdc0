import { splitFields } from '../../agent/route.ts'
import type { Kind } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { label } from '../../domain/labels.ts'
import type { Accepted } from '../../domain/write.ts'
import { counting, withoutSecrets } from '../../operations/redaction.ts'
import { camel } from '../../operations/tool.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { resolved } from './refs.ts'

type Input = Readonly<Record<string, unknown>>

/** A model writes at this door, whatever its input says: `relayed` and `source` change no label. */
export async function write(context: ToolContext, kind: Kind, input: Input): Promise<ToolAnswer> {
  const { stack, actor } = context
  const { redact, noted } = counting(context.redact)
  const named = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [camel(name), value]),
  )
  const { body, options } = splitFields(withoutSecrets(named, redact))
  const derivedFrom = await resolved(stack, 'derived_from', options.derivedFrom ?? [])
  const entity = await context.entity()
  const caller = noted(context.caller)
  const how = { ...options, derivedFrom, label: label.modelDerived(), actor, caller }
  const result = await entity.write(kind, body as BodyInputOf<Kind>, how) // parsed by the tool's schema
  return { structured: structuredOf(result), text: sentenceOf(result) }
}

export const structuredOf = ({
  ref,
  id,
  tier,
  disposition,
  rule,
  captures,
  version,
}: Accepted) => ({
  ref,
  id,
  label: 'ModelDerived',
  tier: tier ?? 0,
  disposition,
  rule,
  captured: captures,
  ...(version === undefined ? {} : { version }),
})

/** The flag of a surviving quote, which is no problem of the quote. */
const QUOTED = 'quote_against_first_hand'

export function sentenceOf(accepted: Accepted): string {
  const { ref, disposition, tier, rule, captures, contradicts = [] } = accepted
  if (rule === 'authority') return `${accepted.message} Nothing of ${ref} changed.`
  if (accepted.revised) {
    return `Revised ${ref}, now version ${accepted.version ?? ''} (ModelDerived, tier ${tier ?? 0}).`
  }
  if (disposition === 'Corroborated') {
    return `Known already as ${ref} (rule ${rule}): nothing new was counted. Cite it as ${ref}.`
  }
  const made = captures.length === 0 ? '' : `, captured with it: ${captures.join(', ')}`
  const denied =
    contradicts.length === 0
      ? ''
      : ` It contradicts ${contradicts.join(', ')}; both stand until a person decides.`
  const unquoted = accepted.reasons.some((code) => code.startsWith('quote_') && code !== QUOTED)
    ? ` ${accepted.message}`
    : ''
  return `Kept as ${ref} (${disposition}, ModelDerived, tier ${tier ?? 0}${made}).${denied}${unquoted}`
}
