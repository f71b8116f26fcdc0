import { JSONParser, TokenType } from '@streamparser/json'
import { MunimentError } from '../domain/errors.ts'
import { ADOPT_LIMITS } from './record.ts'
import { chunksOf, type SourceFile } from './source-file.ts'

/** An element of a JSON file, read on its own. */
export interface JsonElement {
  readonly value: unknown
  /** The way to the element: `$.memories.4`. */
  readonly position: string
  /** The reason why the file could not be read on; the last element of a broken file. */
  readonly why?: string
}

/**
 * The elements at the given paths, one after the other; the rest of the file is checked and
 * dropped. A broken file gives its elements up to the fault, and the fault.
 */
export async function* jsonElements(
  file: SourceFile,
  paths: readonly string[],
): AsyncGenerator<JsonElement, void> {
  const found: JsonElement[] = []
  const parser = new JSONParser({ paths: [...paths], keepStack: false })
  const bounds = new Bounds()
  let last = 'the start'
  parser.onValue = ({ value, key, stack }) => {
    last = ['$', ...stack.slice(1).map((above) => above.key), key].join('.')
    found.push({ value, position: last })
    bounds.elementRead()
  }
  parser.onToken = ({ token }) => bounds.depth(token)
  let read = 0
  try {
    for await (const chunk of chunksOf(file)) {
      bounds.bytes(chunk.length)
      parser.write(chunk)
      read += chunk.length
      yield* found.splice(0)
    }
    if (!parser.isEnded) throw new MunimentError('invalid_json', 'the file ends too early')
  } catch (cause) {
    yield* found.splice(0)
    const reason = cause instanceof Error ? firstLine(cause.message) : 'not JSON'
    const place = `after ${last}, near byte ${read}`
    yield { value: null, position: place, why: `cannot be read on: ${reason}` }
  }
}

const REASON_CHARS_MAX = 200
const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? '').slice(0, REASON_CHARS_MAX).toWellFormed()

/** Bounds on one element, so that a hostile file ends with a message and not with the process. */
class Bounds {
  #depth = 0
  #bytes = 0

  bytes(count: number): void {
    this.#bytes += count
    if (this.#bytes <= ADOPT_LIMITS.elementBytesMax) return
    throw new MunimentError(
      'limit_exceeded',
      `an element holds more than ${ADOPT_LIMITS.elementBytesMax} bytes`,
    )
  }

  elementRead(): void {
    this.#bytes = 0
  }

  depth(token: TokenType): void {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth -= 1
    if (this.#depth <= ADOPT_LIMITS.jsonDepthMax) return
    throw new MunimentError(
      'limit_exceeded',
      `values lie more than ${ADOPT_LIMITS.jsonDepthMax} deep in each other`,
    )
  }
}
