import { type Attribution, authorStated } from '../../domain/attribution.ts'
import { type Caller, labelAt, parseCaller } from '../../domain/doors.ts'
import { type Label, label, labelNamed, tryParseLabel } from '../../domain/labels.ts'
import { readable, wrong } from './arguments.ts'

/** What a caller may say about an act of its own; the rest follows from the door. */
export interface ActOptions {
  readonly session?: string
  readonly turn?: string
  /** Who acts, as provenance shall name it. */
  readonly actor?: string
  readonly label?: Label
  /** The door it came through; the host itself when none is given. */
  readonly caller?: Caller
}

/** Options of a call that writes words, and so may say whose words they are. */
export interface AuthorOptions extends ActOptions, Attribution {}

/** The host process itself, at the library door. */
export const libCaller = (
  operation: string,
  options: Pick<ActOptions, 'session' | 'turn'> = {},
): Caller => ({
  door: 'lib',
  operation,
  person: false,
  grant: null,
  session: options.session ?? null,
  turn: options.turn ?? null,
})

export interface Speaker {
  readonly caller: Caller
  readonly label: Label
  readonly actor: string
}

/** A person speaks as one, the host vouches for what it does, everyone else is a model. */
export function speakerOf(stackId: string, operation: string, options: ActOptions = {}): Speaker {
  // Only a caller that was left out is the host: one that got lost on the way is refused.
  const { caller: by = libCaller(operation, options), label: claimed, actor } = options
  const caller = readable(() => parseCaller(by))
  const said = claimed === undefined ? labelNamed(labelAt(caller)) : knownLabel(claimed)
  const isPerson = said.type === 'External' && said.kind === 'UserAsserted'
  const role = isPerson ? 'user' : caller.door === 'lib' ? 'host' : 'model'
  return { caller, label: said, actor: actor === undefined ? `${stackId}:${role}` : actor }
}

/**
 * The author of words that a stack writes down. The host process acts first-hand, yet words that it
 * hands in are a model's until the call says who saw or said them.
 */
export function authorOf(
  stackId: string,
  operation: string,
  options: AuthorOptions = {},
  usual: Label = label.modelDerived(),
): Speaker {
  const stated = readable(() => authorStated(options))
  const isHost = readable(() => (options.caller ?? libCaller(operation)).door === 'lib')
  return speakerOf(stackId, operation, {
    ...(isHost && { label: usual }),
    ...options,
    ...stated,
  })
}

function knownLabel(claimed: Label): Label {
  const known = readable(() => tryParseLabel(claimed))
  if (!known) throw wrong('label', 'a label')
  return known
}
