import { type Caller, labelAt, parseCaller } from '../../domain/doors.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import {
  type Attribution,
  authorStated,
  type Label,
  label,
  labelNamed,
  tryParseLabel,
} from '../../domain/labels.ts'
import { LIMITS } from '../../domain/limits.ts'

export const wrong = (field: string, expected: string): MunimentError =>
  new MunimentError('invalid_input', `${field}: expected ${expected}.`, {
    issues: [{ path: field, message: `expected ${expected}` }],
  })

/** Input may be any value, even a getter that throws. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof MunimentError) throw cause
    throw new MunimentError('invalid_input', 'The input cannot be read.')
  }
}

/**
 * The given options, each read once; undefined members count as omitted. Null is no default: a
 * caller or label lost on the way must not pass for the host's.
 */
export function given<T extends object>(options: T | null | undefined): T {
  const members = readable(() => {
    if (options === null || options === undefined) return []
    if (typeof options !== 'object' || Array.isArray(options)) throw wrong('options', 'an object')
    return Object.entries(options)
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as T // own members only
}

export function flagOf(field: string, value: unknown, otherwise: boolean): boolean {
  if (value === undefined) return otherwise
  if (typeof value === 'boolean') return value
  throw wrong(field, 'true or false')
}

export function shareOf(field: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw wrong(field, 'a number from 0 to 1')
}

/** A text of bounded length that is valid Unicode. */
export function textOf(field: string, value: unknown): string {
  if (typeof value !== 'string' || !value.isWellFormed()) throw wrong(field, 'text')
  if (value.length <= LIMITS.shortTextCharsMax) return value
  throw new LimitError('shortTextCharsMax', LIMITS.shortTextCharsMax, value.length, {
    issues: [{ path: field, message: 'is too long' }],
  })
}

/** A text with at least one visible character. */
export function nameOf(field: string, value: unknown): string {
  const text = textOf(field, value)
  if (text.trim() === '') throw wrong(field, 'text that is not empty')
  return text
}

export function oneOf<T extends string>(field: string, value: unknown, known: readonly T[]): T {
  const found = known.find((each) => each === value)
  if (found === undefined) throw wrong(field, `one of ${known.join(', ')}`)
  return found
}

/** The limit of a page; a limit above the page maximum is an error, never a shorter list. */
export function limitOf(limit: unknown, otherwise: number): number {
  if (limit === undefined || limit === null) return otherwise
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) {
    throw wrong('limit', 'a whole number, 0 or more')
  }
  if (limit > LIMITS.pageItemsMax) throw new LimitError('pageItemsMax', LIMITS.pageItemsMax, limit)
  return limit
}

/** Options for a caller's own act; the door decides the rest. */
export interface ActOptions {
  readonly session?: string
  readonly turn?: string
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
