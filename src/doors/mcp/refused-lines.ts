import { Transform } from 'node:stream'
import { LIMITS } from '../../domain/limits.ts'

/**
 * A request with a list or a single value as parameters; the pattern may also match inside a text.
 */
const SUSPICIOUS = /"params"\s*:\s*[^{\s]/
const INVALID_PARAMS = -32_602
const LINE_FEED = 0x0a

/**
 * Passes the client's lines on, and answers requests the protocol's library drops: their client
 * would wait for ever.
 */
export function refusingBadParams(answer: (line: string) => void): Transform {
  let held: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        const line = Buffer.concat([...held, chunk.subarray(start, end + 1)])
        held = []
        start = end + 1
        const refusal = refusalOf(line.toString('utf8'))
        if (refusal === null) this.push(line)
        else answer(`${JSON.stringify(refusal)}\n`)
      }
      if (start < chunk.length) held.push(chunk.subarray(start))
      // An overlong line is passed on, because its reader refuses the line.
      if (lengthOf(held) > LIMITS.jsonBytesMax) {
        for (const part of held) this.push(part)
        held = []
      }
      done()
    },
    flush(done) {
      if (held.length > 0) this.push(Buffer.concat(held))
      done()
    },
  })
}

const lengthOf = (parts: readonly Buffer[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)

function refusalOf(line: string): object | null {
  if (!SUSPICIOUS.test(line)) return null
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return null // no message at all: the library logs the line
  }
  const { id, method, params } = Object(message) as Readonly<Record<string, unknown>> // parsed loosely
  const isRequest = (typeof id === 'string' || typeof id === 'number') && typeof method === 'string'
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params)
  if (!isRequest || params === undefined || isObject) return null
  return {
    jsonrpc: '2.0',
    id,
    error: { code: INVALID_PARAMS, message: 'params must be an object.' },
  }
}
