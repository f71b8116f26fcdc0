import { label } from '../domain/labels.ts'
import type { WriteResult } from '../domain/outcome.ts'
import type { ComponentRegistry } from './components.ts'
import { type Memory, viewOf } from './memory-view.ts'
import { libCaller } from './speaker.ts'
import type { Uses } from './uses.ts'

type Handed = Pick<
  Memory,
  | 'ref'
  | 'kind'
  | 'id'
  | 'body'
  | 'text'
  | 'provenance'
  | 'createdAt'
  | 'confidence'
  | 'strength'
  | 'isProtected'
>

/** A memory as components get it: frozen by the registry, which hands out copies. */
export const forComponents = (memory: Memory): Handed => {
  const { ref, kind, id, body, text, provenance, createdAt } = memory
  const { confidence, strength, isProtected } = memory
  return {
    ref,
    kind,
    id,
    body,
    text,
    provenance,
    createdAt,
    confidence,
    strength,
    isProtected,
  }
}

/** Tells components of one saved memory and keeps, through the ledger, what they return. */
export async function tellComponents(
  uses: Uses,
  registry: ComponentRegistry,
  { ref, reasons }: WriteResult,
): Promise<void> {
  if (ref === null || reasons.includes('already_saved')) return
  const stored = await uses.read({ type: 'memory', ref })
  if (!stored) return
  const memory = viewOf(stored, await uses.moment())
  const { kind, id } = memory
  const noted = await registry.dispatchSave({ kind, id, ref, memory: forComponents(memory) })
  for (const [name, fields] of Object.entries(noted ?? {})) {
    await uses.change({
      ref,
      change: { type: 'annotate', by: name, fields },
      label: label.modelDerived(),
      actor: `component:${name}`,
      caller: libCaller('annotate'),
    })
  }
}
