import { MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import type { Memory } from '../read/memory-view.ts'
import { viewsOf } from './confidence-history.ts'

/** One belief in a chain of superseded beliefs. */
export interface BeliefVersion {
  readonly memory: Memory<'belief'>
  readonly replaces: Ref | null
  readonly replacedBy: Ref | null
  readonly heldFrom: Instant
  readonly heldUntil: Instant | null
}

interface Links {
  readonly replaces: Ref | null
  readonly replacedBy: Ref | null
  readonly until: Instant | null
}

/** Every belief of the chain, oldest first, read from the ledger. */
export async function beliefHistory(engine: Engine, ref: Ref): Promise<readonly BeliefVersion[]> {
  if (splitRef(ref).kind !== 'belief') {
    throw new MunimentError('invalid_input', 'Only a belief has been revised.')
  }
  const seen = new Map<Ref, Links>()
  for (let at: Ref | null = ref; at !== null && !seen.has(at); ) {
    const links = await linksOf(engine, at)
    seen.set(at, links)
    at = links.replaces
  }
  const older = [...seen.keys()].reverse()
  const newer: Ref[] = []
  for (let at = seen.get(ref)?.replacedBy ?? null; at !== null && !seen.has(at); ) {
    const links = await linksOf(engine, at)
    seen.set(at, links)
    newer.push(at)
    at = links.replacedBy
  }
  const moment = await engine.moment()
  const versions: BeliefVersion[] = []
  for (const each of [...older, ...newer]) {
    const stored = await engine.read({ type: 'memory', ref: each })
    const [memory] = stored ? await viewsOf<'belief'>(engine, [stored], moment) : []
    const links = seen.get(each)
    if (!memory || !links) continue
    const { replaces, replacedBy, until } = links
    versions.push({ memory, replaces, replacedBy, heldFrom: memory.createdAt, heldUntil: until })
  }
  if (versions.length === 0) throw new MunimentError('not_found', `${ref} does not exist.`)
  return versions
}

/** Links from the entries `belief.revised` and `belief.deactivated`. */
async function linksOf({ read }: Pick<Engine, 'read'>, ref: Ref): Promise<Links> {
  const rows = await read({ type: 'entries', about: ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes))
  const revised = entries.findLast(({ op }) => op === 'belief.revised')
  const deactivated = entries.findLast(({ op }) => op === 'belief.deactivated')
  return {
    replaces: (revised?.decision.facts.of as Ref | undefined) ?? null, // the gate writes a ref
    replacedBy: (deactivated?.decision.facts.by as Ref | null | undefined) ?? null,
    until: deactivated?.time ?? null,
  }
}
