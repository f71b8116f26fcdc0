import { KEPT_OUT } from '../domain/claim-state.ts'
import { MunimentError } from '../domain/errors.ts'
import { splitRef } from '../domain/ids.ts'
import { label } from '../domain/labels.ts'
import type { WriteResult } from '../domain/outcome.ts'
import type { StoredMemory } from '../ports/store.ts'
import type { ComponentRegistry } from './components.ts'
import { forComponents } from './memory-view.ts'
import { libCaller } from './speaker.ts'
import type { Uses } from './uses.ts'

/**
 * Tells components of what one write saved, captures first, and keeps, through the ledger, what they
 * return. A repeat saved nothing, and what is set aside is nobody's to work on.
 */
export async function tellComponents(
  uses: Uses,
  registry: ComponentRegistry,
  { ref, captures, entry, reasons, disposition }: WriteResult,
): Promise<void> {
  if (ref === null || reasons.includes('already_saved') || KEPT_OUT.includes(disposition)) return
  // What the stack notes of itself is nobody's to work on, and must not make more of itself.
  if (splitRef(ref).kind === 'report') return
  const told = [ref, ...captures].filter((each) => registry.wantsSaved(splitRef(each).kind))
  if (told.length === 0) return
  const main = await uses.read({ type: 'memory', ref })
  if (main?.state.revisionSeq !== entry.seq) return
  for (const capture of captures) {
    if (!told.includes(capture)) continue
    const stored = await uses.read({ type: 'memory', ref: capture })
    // Their entries stand right before the memory's own; others were there before.
    const isNew = stored && stored.state.seq >= entry.seq - captures.length
    if (isNew) await tellOne(uses, registry, stored)
  }
  if (told.includes(ref)) await tellOne(uses, registry, main)
}

async function tellOne(
  uses: Uses,
  registry: ComponentRegistry,
  stored: StoredMemory,
): Promise<void> {
  const { kind, id, ref } = stored.state
  const memory = forComponents(stored, await uses.moment())
  const noted = await registry.dispatchSave({ kind, id, ref, memory })
  for (const [name, fields] of Object.entries(noted ?? {})) {
    const change = { type: 'annotate', by: name, fields } as const
    const by = {
      label: label.modelDerived(),
      actor: `component:${name}`,
      caller: libCaller('annotate'),
    }
    try {
      await uses.change({ ref, change, ...by })
    } catch (cause) {
      // The memory is saved: what cannot be kept with it is the component's loss, not the caller's.
      if (!(cause instanceof MunimentError)) throw cause
      registry.fault(name, 'onSave', cause)
    }
  }
}
