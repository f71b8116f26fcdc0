import type { Instant } from '../domain/time.ts'
import type { Stack } from '../stack.ts'

/** The session of the cards, by which `listBatches` finds them. */
export const CARD_SESSION = 'adopt:batches'

/** The actor of a part of a batch. */
export const actorOf = (batch: string, part: number): string =>
  part === 0 ? `adopt:${batch}` : `adopt:${batch}/${part + 1}`

/** Kinds that a record may become, or be cited by. */
const TAKEN_KINDS = ['raw', 'note', 'episode', 'belief', 'goal', 'relationship'] as const
const PAGE = 1_000

/** Memories of an actor, believed or not, without captures of other memories and without cards. */
export async function countOf(stack: Stack, saidBy: string, countMax: number): Promise<number> {
  let count = 0
  for (const kind of TAKEN_KINDS) {
    for (let after: string | undefined; count < countMax; ) {
      const page = await stack.list(kind, {
        saidBy,
        withoutCaptures: true,
        includeSetAside: true,
        includeForgotten: true,
        limit: Math.min(PAGE, countMax),
        ...(after === undefined ? {} : { after }),
      })
      count += page.filter(({ provenance }) => provenance.session !== CARD_SESSION).length
      after = page.at(-1)?.id
      if (page.length < PAGE) break
    }
  }
  return count
}

/** The actors of a batch. A part is begun when the part before is full, so there are no gaps. */
export async function actorsOf(stack: Stack, batch: string): Promise<readonly string[]> {
  const actors: string[] = []
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const actor = actorOf(batch, part)
    if ((await countOf(stack, actor, 1)) === 0) break
    actors.push(actor)
  }
  return actors
}

const PARTS_MAX = 256 // as many origins as a stack may distrust at the same time

/** A batch in this stack, as the card of the batch tells. */
export interface Batch {
  readonly batch: string
  /** The tool, the place and the number of records, in words. */
  readonly says: string
  readonly at: Instant
  readonly isDistrusted: boolean
}

const BATCHES_MAX = 1_000

/** The batches of a stack, newest first. */
export async function listBatches(stack: Stack): Promise<readonly Batch[]> {
  const cards = await stack.list('raw', {
    inSession: CARD_SESSION,
    includeSetAside: true,
    limit: BATCHES_MAX,
  })
  return cards.map(({ body, provenance, createdAt, disposition }) => ({
    batch: provenance.sourceId.replace(/^adopt:/, ''),
    says: body.content,
    at: createdAt,
    isDistrusted: disposition === 'Distrusted',
  }))
}
