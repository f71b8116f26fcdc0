import { Transform } from 'node:stream'
import { LIMITS } from '../../domain/limits.ts'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602
const LINE_FEED = 0x0a

/**
 * Passes the client's lines on, and answers lines the protocol's library drops: their client would
 * wait for ever.
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
  if (line.trim() === '') return null
  const message = parsed(line)
  if (message === null) {
    const error = { code: PARSE_ERROR, message: 'The line is not JSON.' }
    return { jsonrpc: '2.0', id: null, error }
  }
  const { jsonrpc, id, method } = message
  if (typeof id !== 'string' && typeof id !== 'number') return null
  // An answer to a request of the server has no method.
  if (method === undefined && ('result' in message || 'error' in message)) return null
  const refused = (code: number, text: string): object => ({
    jsonrpc: '2.0',
    id,
    error: { code, message: text },
  })
  if (jsonrpc !== '2.0') return refused(INVALID_REQUEST, 'jsonrpc must be "2.0".')
  if (typeof method !== 'string') return refused(INVALID_REQUEST, 'method must be a string.')
  const problem = problemOf(message)
  return problem === null ? null : refused(INVALID_PARAMS, problem)
}

type Loose = Readonly<Record<string, unknown>>

function parsed(line: string): Loose | null {
  try {
    return Object(JSON.parse(line)) as Loose // every member is checked where it is read
  } catch {
    return null
  }
}

function problemOf({ method, params }: Loose): string | null {
  if (params === undefined) return null
  if (!isObject(params)) return 'params must be an object.'
  if (method !== 'prompts/get' || params.arguments === undefined) return null
  if (!isObject(params.arguments)) return 'arguments must be an object.'
  const wrong = Object.entries(params.arguments).find(([, value]) => typeof value !== 'string')
  return wrong === undefined ? null : `The argument ${wrong[0]} must be a text.`
}

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
