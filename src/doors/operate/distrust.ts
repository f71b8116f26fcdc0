import { MunimentError } from '../../domain/errors.ts'
import { servedByAnswer } from '../../engine/claims/answer.ts'
import type { DistrustedOrigin, DistrustWhat, Turned } from '../../engine/distrust/distrust.ts'
import type { WhatIf } from '../../engine/distrust/what-if.ts'
import type { InputOf } from '../../operations/operations.ts'
import { type DoorContext, given, readerOf } from './context.ts'

/** Distrusted origins, or the effect of distrust, planned or done. */
export type DistrustAnswer =
  | { readonly origins: readonly DistrustedOrigin[] }
  | { readonly whatIf: WhatIf }
  | { readonly turned: Turned; readonly off: boolean }

export async function distrusted(
  context: DoorContext,
  input: InputOf<'distrust'>,
): Promise<DistrustAnswer> {
  const { stack } = context
  const what = meant(input)
  const { off, yes, basis, reason } = input
  if (what === null) {
    if (yes || off) throw oneNeeded()
    return { origins: await stack.sources.distrusted() }
  }
  if (!yes && !off) {
    const whatIf = await stack.sources.whatIf({ distrust: what, caller: context.caller })
    const shown = whatIf.answers.flatMap(({ before, after }) =>
      [before, after].flatMap(servedByAnswer),
    )
    await stack.lookup.noteServed('distrust', readerOf(context), shown)
    return { whatIf }
  }
  const by = { ...readerOf(context), ...given({ basis, reason }) }
  return {
    turned: off ? await stack.sources.trust(what, by) : await stack.sources.distrust(what, by),
    off,
  }
}

function meant({ ref, actor, door, inSession }: InputOf<'distrust'>): DistrustWhat | null {
  const session = inSession
  const origins = Object.entries({ actor, door, session }).filter(([, name]) => name !== undefined)
  if (origins.length + (ref === undefined ? 0 : 1) > 1) throw oneNeeded()
  if (ref !== undefined) return ref
  return origins.length === 0 ? null : (Object.fromEntries(origins) as DistrustWhat) // a single pair
}

const oneNeeded = (): MunimentError =>
  new MunimentError(
    'invalid_input',
    'distrust needs a memory, an actor, a door or a session: one of them.',
  )
