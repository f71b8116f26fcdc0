import { KEPT_OUT } from '../../domain/claims.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Batch } from '../../domain/waist.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { forComponents } from '../read/memory-view.ts'
import type { Moment } from '../world.ts'
import { libCaller } from '../write/speaker.ts'
import type { Committed } from '../write/write.ts'
import type { ComponentRegistry } from './component-registry.ts'

/** Notifies components of every saved memory. */
export async function tellSaved(
  engine: Engine,
  registry: ComponentRegistry,
  { written, genesis }: { readonly written: Committed; readonly genesis: Policy },
): Promise<void> {
  if (written.refused || written.made === null || !registry.listens('onSave')) return
  const { batch, policy } = written.made
  const moment = { policy: policy ?? genesis, now: engine.now() }
  for (const result of written.results) {
    await tellComponents(engine, registry, { result, batch, moment })
  }
}

/** The result of one write, its commit, and the moment for its numbers. */
interface Saved {
  readonly result: WriteResult
  readonly batch: Pick<Batch, 'memories' | 'sealed'>
  readonly moment: Moment
}

/**
 * Notifies components of the memories of one write, captures first, and saves the returned fields
 * as annotations. Repeats and quarantined memories are skipped.
 */
async function tellComponents(
  engine: Pick<Engine, 'change' | 'read'>,
  registry: ComponentRegistry,
  { result, batch, moment }: Saved,
): Promise<void> {
  const { ref, captures, entry, reasons, disposition } = result
  if (ref === null || reasons.includes('already_saved') || KEPT_OUT.includes(disposition)) return
  // Reports of the stack are skipped, because they could trigger further reports.
  if (splitRef(ref).kind === 'report') return
  const told = [...captures, ref].filter((each) => registry.wantsSaved(splitRef(each).kind))
  if (told.length === 0) return
  const main = await savedIn(engine, batch, ref)
  if (main?.state.revisionSeq !== entry.seq) return
  for (const each of told) {
    const stored = each === ref ? main : await savedIn(engine, batch, each)
    // New captures come directly before the memory; other captures existed before.
    const isNew = each === ref || (stored && stored.state.seq >= entry.seq - captures.length)
    if (stored && isNew) await tellOne(engine, registry, forComponents(stored, moment))
  }
}

/** The committed state; the store is read only for annotations of earlier commits. */
async function savedIn(
  engine: Pick<Engine, 'read'>,
  { memories, sealed }: Saved['batch'],
  ref: Ref,
): Promise<StoredMemory | null> {
  const state = memories.find((memory) => memory.ref === ref)
  if (state && Object.keys(state.notes).length > 0) return engine.read({ type: 'memory', ref })
  const row = state && sealed.find(({ seq }) => seq === state.revisionSeq)
  return row ? { state, sealed: row, notes: [] } : null
}

async function tellOne(
  engine: Pick<Engine, 'change'>,
  registry: ComponentRegistry,
  memory: ReturnType<typeof forComponents>,
): Promise<void> {
  const { kind, id, ref } = memory
  const noted = await registry.dispatchSave({ kind, id, ref, memory })
  for (const [name, fields] of Object.entries(noted ?? {})) {
    const change = { type: 'annotate', by: name, fields } as const
    const by = {
      label: label.modelDerived(),
      actor: `component:${name}`,
      caller: libCaller('annotate'),
    }
    try {
      await engine.change({ ref, change, ...by })
    } catch (cause) {
      // The memory is saved: a failed annotation concerns the component, not the caller.
      if (!(cause instanceof MunimentError)) throw cause
      registry.fault(name, 'onSave', cause)
    }
  }
}
