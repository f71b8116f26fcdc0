import type { RecordKind } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import type { Engine } from '../engine.ts'
import { find } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'

/** A period for a summary, both ends included. */
export interface Stretch {
  readonly from: Instant
  readonly to: Instant
  /** Only memories of this epoch. */
  readonly epochId?: string
}

/** Memories of a kind from a period, newest first, and a flag for more than a summary may cite. */
export async function membersIn<K extends RecordKind>(
  engine: Engine,
  kind: K,
  { from, to, epochId }: Stretch,
): Promise<{ readonly members: readonly Memory<K>[]; readonly isCut: boolean }> {
  const members: Memory<K>[] = []
  for (let after: string | undefined; ; ) {
    const page = await find(engine, kind, {
      limit: PAGE,
      includeWeak: true,
      ...(after === undefined ? {} : { after }),
    })
    const inside = page.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
    members.push(...inside.filter(({ body }) => epochId === undefined || epochOf(body) === epochId))
    const last = page.at(-1)
    if (members.length > LIMITS.parentsMax) {
      return { members: members.slice(0, LIMITS.parentsMax), isCut: true }
    }
    if (last === undefined || page.length < PAGE || last.createdAt < from) {
      return { members, isCut: false }
    }
    after = last.id
  }
}

const PAGE = 200

const epochOf = (body: object): unknown => (body as { readonly epochId?: string }).epochId
