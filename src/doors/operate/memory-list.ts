import { type Caller, stricterUse, type Use } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { KINDS, type RecordKind } from '../../domain/ids.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Withheld } from '../../engine/read/use-gate.ts'
import type { InputOf } from '../../operations/operations.ts'
import { type DoorContext, given } from './context.ts'

type ListInput = InputOf<'list'>

/** Lists memories as readers get them: no forgotten or quarantined memories, and no captures. */
export async function listed(
  { stack, caller }: Pick<DoorContext, 'stack' | 'caller'>,
  asked: ListInput,
): Promise<readonly Memory[]> {
  const { kind, after, limit } = asked
  const ofKind = (each: RecordKind): Promise<readonly Memory[]> =>
    stack.list(each, { ...narrowedBy(asked, caller), ...given({ after }), limit })
  if (kind !== undefined) return ofKind(kind)
  if (after !== undefined) {
    throw new MunimentError('invalid_input', 'To continue after a memory, name its kind.', {
      issues: [{ path: 'after', message: 'needs a kind to continue in' }],
    })
  }
  const lists = await Promise.all(KINDS.map(ofKind))
  return lists
    .flat()
    .sort((a, b) => b.entry.seq - a.entry.seq)
    .slice(0, limit)
}

/** The memories withheld from this list for its use. */
export const withheldFrom = (
  { stack, caller }: Pick<DoorContext, 'stack' | 'caller'>,
  asked: InputOf<'withheld'>,
): Promise<Withheld> =>
  stack.lookup.withheld({
    ...narrowedBy(asked, caller),
    ...(asked.kind === undefined ? {} : { kinds: [asked.kind] }),
  })

const narrowedBy = (asked: InputOf<'withheld'>, { use: least }: Caller) => {
  const { all, weak, type, status, tags, context, minConfidence, minTier, for: use } = asked
  return {
    ...given({
      subtype: type,
      status,
      tags,
      context,
      minConfidence,
      minTier,
      for: boundUse(use, least),
    }),
    withoutCaptures: !all,
    includeWeak: weak,
    includeForgotten: all,
    includeSetAside: all,
  }
}

/** The stricter of the requested use and the connection's own. */
const boundUse = (asked: Use | undefined, least: Use | undefined): Use | undefined =>
  asked === undefined || least === undefined ? (asked ?? least) : stricterUse(asked, least)
