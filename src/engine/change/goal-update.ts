import { MunimentError } from '../../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../../domain/ids.ts'
import type { GoalInput } from '../../domain/kinds/goal.ts'
import { type Accepted, isAccepted, type WriteResult } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { ChangeProposal } from '../review/proposals.ts'
import { given } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import type { ActOptions } from '../write/speaker.ts'
import { namesIn } from '../write/write-request.ts'
import { type Revision, revise } from './revision.ts'

/** The fields of a goal that may change; its title names the goal and stays. */
export type GoalChange = Partial<
  Pick<GoalInput, 'status' | 'priority' | 'goalType' | 'description' | 'tags'>
>

export interface UpdateOptions extends ActOptions {
  /** Sources of the change; the goal keeps its earlier sources. */
  readonly derivedFrom?: readonly string[]
}

const TRIES_MAX = 20 // while others revise the same memory

/** Revises the given fields; a caller without the authority proposes them to a person. */
export async function updateGoal(
  engine: Engine,
  ref: string,
  change: GoalChange,
  options: UpdateOptions,
): Promise<Accepted> {
  const parsed = parseRef(ref)
  if (splitRef(parsed).kind !== 'goal') {
    throw new MunimentError('invalid_input', `${ref} is not a goal.`, {
      hint: 'Give the ref of a goal, for example from the list of goals.',
    })
  }
  const fields = given(change)
  const names = namesIn(fields)
  if (names.length === 0) {
    throw new MunimentError('invalid_input', 'Nothing of the goal would change.', {
      hint: 'Give a status: active, completed, paused or dropped.',
    })
  }
  const { derivedFrom = [], ...who } = options
  const result = await revised(engine, parsed, {
    fields,
    derivedFrom,
    options: who,
    isUpdate: true,
  })
  if (!isAccepted(result)) throw refusalError(result)
  return result
}

/** Applies the fields of a proposal that a person accepted. */
export function reviseFields(
  engine: Engine,
  ref: Ref,
  { wish, options }: { readonly wish: ChangeProposal; readonly options: ActOptions },
): Promise<WriteResult> {
  const { fields, from } = wish
  return revised(engine, ref, { fields: fields ?? {}, derivedFrom: from, options, isUpdate: false })
}

interface Revised {
  readonly fields: Readonly<Record<string, unknown>>
  readonly derivedFrom: readonly string[]
  readonly options: ActOptions
  readonly isUpdate: boolean
}

/** Reads, merges and revises, and retries after a version conflict. */
async function revised(
  engine: Engine,
  ref: Ref,
  { fields, derivedFrom, options, isUpdate }: Revised,
): Promise<WriteResult> {
  const { kind, id } = splitRef(ref)
  for (let attempt = 1; ; attempt += 1) {
    const stored = await engine.read({ type: 'memory', ref })
    if (!stored?.sealed) {
      throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    }
    const { facets, revision, sourceId } = stored.state
    const body = { ...openSealed(stored.sealed).body, tags: facets.tags, ...fields }
    const kept = Object.entries(body).filter(([, value]) => value !== null)
    const record = { ...Object.fromEntries(kept), id, derivedFrom } as unknown as Revision<
      typeof kind
    > // parsed by the stack
    try {
      const result = await revise(engine, kind, record, {
        expectedVersion: revision,
        // A host without a named actor updates the goal as its author.
        options:
          isUpdate && options.caller === undefined ? { actor: sourceId, ...options } : options,
        keepsTier: true,
        orPropose: isUpdate,
        given: namesIn(fields),
      })
      if (result !== null) return result
      throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    } catch (cause) {
      const isRace = cause instanceof MunimentError && cause.code === 'version_conflict'
      if (!isRace || attempt >= TRIES_MAX) throw cause
    }
  }
}
