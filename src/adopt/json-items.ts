import { isUtf8 } from 'node:buffer'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { MunimentError } from '../domain/errors.ts'
import { type Fields, isFields } from './fields.ts'
import { ADOPT_LIMITS, bad, type ReadItem } from './record.ts'
import { chunksOf, type SourceFile } from './source-file.ts'

/** The place of an element in its JSON file. */
export interface JsonPlace {
  /** The way to the element: `$.memories.4`. */
  readonly position: string
  /** The member of the document that holds the element: `memories`. */
  readonly list: string
  /** The count of elements so far. */
  readonly number: number
}

type Element = { readonly value: unknown; readonly place: JsonPlace } | { readonly item: ReadItem }

/**
 * Items of the objects at the given paths, one object after the other; the rest of the file is
 * checked and dropped. Parts that cannot be read are bad items. A broken file gives its objects up
 * to the fault, and the fault.
 */
export async function* itemsOfJson(
  file: SourceFile,
  paths: readonly string[],
  itemsOf: (value: Fields, place: JsonPlace) => Iterable<ReadItem>,
): AsyncGenerator<ReadItem, void> {
  const elements = new Elements(paths)
  let read = 0
  try {
    for await (const chunk of wholeCharacters(chunksOf(file))) {
      elements.write(chunk)
      read += chunk.length
      yield* elements.found(itemsOf)
    }
    elements.end()
  } catch (cause) {
    yield* elements.found(itemsOf)
    const reason = cause instanceof Error ? firstLine(cause.message) : 'not JSON'
    yield bad(`after ${elements.last}, near byte ${read}`, `cannot be read on: ${reason}`)
  }
}

const REASON_CHARS_MAX = 200
const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? '').slice(0, REASON_CHARS_MAX).toWellFormed()

/** The parser with bounds, so that a hostile file ends with a message and not with the process. */
class Elements {
  last = 'the start'
  readonly #found: Element[] = []
  readonly #tokens = new Tokenizer()
  readonly #values: TokenParser
  #number = 0
  #depth = 0
  /** Bytes since the last element. */
  #bytes = 0

  constructor(paths: readonly string[]) {
    this.#values = new TokenParser({ paths: [...paths], keepStack: false })
    this.#values.onValue = ({ value, key, stack }) => {
      const position = ['$', ...stack.slice(1).map((above) => above.key), key].join('.')
      const list = String(stack[1]?.key ?? key)
      this.#number += 1
      this.#bytes = 0
      this.last = position
      this.#found.push({ value, place: { position, list, number: this.#number } })
    }
    this.#tokens.onToken = (token) => this.#take(token)
    this.#values.onEnd = () => {
      if (!this.#tokens.isEnded) this.#tokens.end()
    }
  }

  write(chunk: Uint8Array): void {
    const max = ADOPT_LIMITS.elementBytesMax
    this.#bytes += chunk.length
    if (this.#bytes > max) {
      throw new MunimentError('limit_exceeded', `an element holds more than ${max} bytes`)
    }
    if (!isUtf8(chunk)) {
      this.#report('bytes that are no UTF-8 text are read as U+FFFD')
      this.#tokens.write(Buffer.from(Buffer.from(chunk).toString('utf8')))
    } else this.#tokens.write(chunk)
  }

  end(): void {
    if (!this.#values.isEnded) throw new MunimentError('invalid_json', 'the file ends too early')
  }

  *found(
    itemsOf: (value: Fields, place: JsonPlace) => Iterable<ReadItem>,
  ): Generator<ReadItem, void> {
    for (const element of this.#found.splice(0)) {
      if ('item' in element) yield element.item
      else if (isFields(element.value)) yield* itemsOf(element.value, element.place)
      else yield bad(element.place.position, 'is not an object')
    }
  }

  /** A value too deep for the parser is left out, and the parser reads on behind the value. */
  #take(token: Parameters<TokenParser['write']>[0]): void {
    const isOpening = token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET
    const isClosing =
      token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET
    if (isOpening) this.#depth += 1
    const over = this.#depth - ADOPT_LIMITS.jsonDepthMax
    if (over <= 0) this.#values.write(token)
    else if (isOpening && over === 1) {
      this.#values.write({ token: TokenType.NULL, value: null })
      this.#report(`values more than ${ADOPT_LIMITS.jsonDepthMax} deep in each other are left out`)
    }
    if (isClosing) this.#depth -= 1
  }

  #report(why: string): void {
    this.#found.push({ item: bad(`after ${this.last}`, why) })
  }
}

const CHARACTER_BYTES_MAX = 4

/** Cuts the bytes anew, so that no chunk ends inside a character. */
async function* wholeCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - unfinished(bytes)
    rest = bytes.subarray(whole)
    yield bytes.subarray(0, whole)
  }
  if (rest.length > 0) yield rest
}

/** The bytes at the end that begin a character and do not end it. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back < CHARACTER_BYTES_MAX && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? back : 0
  }
  return 0
}
