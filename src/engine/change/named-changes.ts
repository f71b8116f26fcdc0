import type { RecordKind } from '../../domain/ids.ts'
import { isAccepted } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { flagOf, given, shareOf } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import type { ActOptions, AuthorOptions } from '../write/speaker.ts'
import { type ChangeOptions, type MetaOptions, refOf, tagsOf } from './change-arguments.ts'
import type { Changes } from './changes.ts'
import { type Revision, revise } from './revision.ts'

/** A memory by kind and id, as the stack protocol names memories. */
export interface NamedMemory {
  readonly kind: string
  readonly id: string
}

/** Strengthens a memory on access; reading alone never does. */
export async function recordAccess(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: ActOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'access' }, 'record_access', options)).changed
}

/** Lowers confidence, or raises confidence for a person; replaces tags. */
export async function updateMeta(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: MetaOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  const { confidence, tags, ...rest } = given(options)
  if (confidence === undefined && tags === undefined) return false
  const change = {
    type: 'describe',
    confidence: confidence === undefined ? null : shareOf('confidence', confidence),
    tags: tags === undefined ? null : tagsOf(tags),
  } as const
  return (await changes.change(of, change, 'update_memory_meta', rest)).changed
}

/** Sets strength to zero; reversible. A protected memory refuses. */
export async function forget(
  changes: Changes,
  { kind, id }: NamedMemory,
  options: ChangeOptions,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'forget' }, 'forget_memory', options)).changed
}

export async function recover(
  changes: Changes,
  { kind, id }: NamedMemory,
  options?: ChangeOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  return (await changes.change(of, { type: 'recover' }, 'recover_memory', options)).changed
}

export async function protect(
  changes: Changes,
  { kind, id, on }: NamedMemory & { readonly on: boolean },
  options?: ChangeOptions | null,
): Promise<boolean> {
  const of = refOf(kind, id)
  const change = { type: 'protect', on: flagOf('protected', on, true) } as const
  return (await changes.change(of, change, 'protect_memory', options)).changed
}

/** True when revised, false when the memory is gone; another version is an error. */
export async function reviseRecord<K extends RecordKind>(
  engine: Engine,
  kind: K,
  record: Revision<K>,
  how: {
    readonly expectedVersion: number | null
    readonly options: AuthorOptions | null | undefined
  },
): Promise<boolean> {
  const options = given(how.options)
  const result = await revise(engine, kind, record, { ...how, options })
  if (result === null) return false
  if (!isAccepted(result)) throw refusalError(result)
  return true
}
