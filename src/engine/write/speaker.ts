import { type Caller, labelAt, parseCaller } from '../../domain/doors.ts'
import {
  type Attribution,
  authorStated,
  type Label,
  label,
  labelNamed,
  tryParseLabel,
} from '../../domain/labels.ts'
import { readable, wrong } from './arguments.ts'

/** Options for a caller's own act; the door decides the rest. */
export interface ActOptions {
  readonly session?: string
  readonly turn?: string
  /** The actor, as provenance names actors. */
  readonly actor?: string
  readonly label?: Label
  /** The caller at the door; the host itself by default. */
  readonly caller?: Caller
}

/** Options of a call that writes words, with the author of the words. */
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

/**
 * A person speaks as a person, the host vouches for its own acts, and every other caller is a
 * model.
 */
export function speakerOf(stackId: string, operation: string, options: ActOptions = {}): Speaker {
  // Only an omitted caller is the host: a caller lost on the way is refused.
  const { caller: by = libCaller(operation, options), label: claimed, actor } = options
  const caller = readable(() => parseCaller(by))
  const said = claimed === undefined ? labelNamed(labelAt(caller)) : knownLabel(claimed)
  const isPerson = said.type === 'External' && said.kind === 'UserAsserted'
  const role = isPerson ? 'user' : caller.door === 'lib' ? 'host' : 'model'
  return { caller, label: said, actor: actor === undefined ? `${stackId}:${role}` : actor }
}

/**
 * The author of words that a stack writes down. The host process acts first-hand, but its words
 * count as a model's until the call names the person or tool behind the words.
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
