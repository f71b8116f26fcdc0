import { MunimentError } from '../../domain/errors.ts'
import { KINDS, type RecordKind } from '../../domain/kind-names.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { Memory } from '../../stack/memory-view.ts'
import type { Stack } from '../../stack/stack.ts'
import type { Withheld } from '../../stack/use-gate.ts'
import { given } from './context.ts'

type Asked = InputOf<'list'>

const PAGE_MIN = 64 // rows read at a time, since captures among them are passed over

/** What readers would be given: not what was forgotten, set aside, or captured for something else. */
export async function listed(stack: Stack, asked: Asked): Promise<readonly Memory[]> {
  const { kind, after, limit } = asked
  if (kind !== undefined) return ofKind(stack, kind, asked)
  if (after !== undefined) {
    throw new MunimentError('invalid_input', 'To continue after a memory, name its kind.', {
      issues: [{ path: 'after', message: 'needs a kind to continue in' }],
    })
  }
  const lists = await Promise.all(KINDS.map((each) => ofKind(stack, each, asked)))
  return lists
    .flat()
    .sort((a, b) => b.entry.seq - a.entry.seq)
    .slice(0, limit)
}

async function ofKind(stack: Stack, kind: RecordKind, asked: Asked): Promise<readonly Memory[]> {
  const { limit, after, all } = asked
  const size = Math.max(PAGE_MIN, limit)
  const found: Memory[] = []
  let from = after
  while (found.length < limit) {
    const page: readonly Memory[] = await stack.list(kind, {
      ...narrowedBy(asked),
      ...given({ after: from }),
      limit: size,
    })
    found.push(...page.filter(({ provenance }) => all || !provenance.captured))
    const last = page.at(-1)
    if (last === undefined || page.length < size) break
    from = last.id
  }
  return found.slice(0, limit)
}

/** What the same list leaves out for its use. */
export const withheldFrom = (stack: Stack, asked: InputOf<'withheld'>): Promise<Withheld> =>
  stack.withheld({
    ...narrowedBy(asked),
    ...(asked.kind === undefined ? {} : { kinds: [asked.kind] }),
    withoutCaptures: !asked.all,
  })

const narrowedBy = (asked: InputOf<'withheld'>) => {
  const { all, weak, type, status, tags, context, minConfidence, minTier, for: use } = asked
  return {
    ...given({ subtype: type, status, tags, context, minConfidence, minTier, for: use }),
    includeWeak: weak,
    includeForgotten: all,
    includeSetAside: all,
  }
}
