/**
 * Makes the WebAssembly that scans vectors: `node scripts/embedder/wasm-modules.ts` prints the bytes for
 * `src/recall/embed/scan-kernel.ts`. Below stands the part of the binary format that these modules need;
 * names are those of the specification.
 */
import { pathToFileURL } from 'node:url'

const I32 = 0x7f
const V128 = 0x7b
const BLOCK_VOID = 0x40
const SIMD = 0xfd

type Code = readonly number[]

/** Unsigned LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  const bytes: number[] = []
  let left = value
  for (;;) {
    const low = left % 128
    left = Math.floor(left / 128)
    if (left === 0) return [...bytes, low]
    bytes.push(low | 128)
  }
}

/** Signed LEB128 of a 32-bit integer. */
function signed(value: number): Code {
  const bytes: number[] = []
  let left = value | 0
  for (;;) {
    const low = left & 127
    left >>= 7
    if ((left === 0 && low < 64) || (left === -1 && low >= 64)) return [...bytes, low]
    bytes.push(low | 128)
  }
}

const simd = (opcode: number, ...rest: Code): Code => [SIMD, ...unsigned(opcode), ...rest]
const NO_ALIGNMENT = [0, 0] as const // any address, no offset

const wasm = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  constant: (value: number): Code => [0x41, ...signed(value)],
  add: [0x6a] as Code,
  lessUnsigned: [0x49] as Code,
  loadI64: [0x29, ...NO_ALIGNMENT] as Code,
  xorI64: [0x85] as Code,
  /** Number of set bits. */
  onesI64: [0x7b] as Code,
  wrapI64: [0xa7] as Code,
  storeI32: [0x36, ...NO_ALIGNMENT] as Code,
  /** Repeats the body while the body leaves a value other than zero. */
  loopWhile: (...body: readonly Code[]): Code => [0x03, BLOCK_VOID, ...body.flat(), 0x0d, 0, 0x0b],
  /** Runs the body when the value before is not zero. */
  when: (...body: readonly Code[]): Code => [0x04, BLOCK_VOID, ...body.flat(), 0x0b],
  loadV128: simd(0x00, ...NO_ALIGNMENT),
  /** Eight int8 as eight int16. */
  loadI8x8AsI16x8: simd(0x01, ...NO_ALIGNMENT),
  zeroV128: simd(0x0c, ...new Array<number>(16).fill(0)),
  /** Eight products of int16, added in pairs to four int32. */
  dotI16x8: simd(0xba),
  addI32x4: simd(0xae),
  laneI32x4: (lane: number): Code => simd(0x1b, lane),
}

interface WasmFunction {
  readonly name: string
  /** Parameters, all i32; they are the first locals. */
  readonly parameters: number
  readonly i32Locals: number
  readonly v128Locals: number
  readonly body: Code
}

/** A module with one function; the function works on the imported memory `env.memory`. */
function wasmModule({ name, parameters, i32Locals, v128Locals, body }: WasmFunction) {
  const locals = [...unsigned(2), ...unsigned(i32Locals), I32, ...unsigned(v128Locals), V128]
  const code = [...locals, ...body, 0x0b]
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...unsigned(parameters), ...new Array(parameters).fill(I32), 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, 0x00, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(name), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]

const text = (ascii: string): Code => [
  ...unsigned(ascii.length),
  ...Array.from(ascii, (letter) => letter.charCodeAt(0)),
]

const LANES = 8 // int16 in a vector
const WIDE_BYTES = 2 // of a component of the query
const WORD_BYTES = 8

/**
 * score(query, rows, end, stride, scores): for every row, eight components at a time: row as int16
 * × query as int16, added in pairs into four int32; at the end of the row the four are summed.
 */
export function scoreModule(): Uint8Array {
  const [query, row, end, stride, score, at, rowEnd, sum] = [0, 1, 2, 3, 4, 5, 6, 7]
  const { get, set, constant, add } = wasm
  const step = (local: number, by: readonly number[]): readonly number[] =>
    [get(local), by, add, set(local)].flat()
  const lanes = [0, 1, 2, 3].map((lane) => [get(sum), wasm.laneI32x4(lane)].flat())
  const body = wasm.loopWhile(
    [get(query), set(at)].flat(),
    [wasm.zeroV128, set(sum)].flat(),
    [get(row), get(stride), add, set(rowEnd)].flat(),
    wasm.loopWhile(
      [get(row), wasm.loadI8x8AsI16x8, get(at), wasm.loadV128, wasm.dotI16x8].flat(),
      [get(sum), wasm.addI32x4, set(sum)].flat(),
      step(at, constant(LANES * WIDE_BYTES)),
      step(row, constant(LANES)),
      [get(row), get(rowEnd), wasm.lessUnsigned].flat(),
    ),
    [get(score), ...lanes, add, add, add, wasm.storeI32].flat(),
    step(score, constant(Int32Array.BYTES_PER_ELEMENT)),
    [get(row), get(end), wasm.lessUnsigned].flat(),
  )
  return wasmModule({ name: 'score', parameters: 5, i32Locals: 2, v128Locals: 1, body })
}

/** differing(query, rows, end, stride, sums): for every row, the bits of 64 components at a time. */
export function differingModule(): Uint8Array {
  const [query, row, end, stride, sums, at, rowEnd, sum] = [0, 1, 2, 3, 4, 5, 6, 7]
  const { get, set, constant, add } = wasm
  const step = (local: number, by: number): readonly number[] =>
    [get(local), constant(by), add, set(local)].flat()
  const body = wasm.loopWhile(
    [get(query), set(at), constant(0), set(sum)].flat(),
    [get(row), get(stride), add, set(rowEnd)].flat(),
    wasm.loopWhile(
      [get(row), wasm.loadI64, get(at), wasm.loadI64, wasm.xorI64, wasm.onesI64].flat(),
      [wasm.wrapI64, get(sum), add, set(sum)].flat(),
      step(at, WORD_BYTES),
      step(row, WORD_BYTES),
      [get(row), get(rowEnd), wasm.lessUnsigned].flat(),
    ),
    [get(sums), get(sum), wasm.storeI32].flat(),
    step(sums, Int32Array.BYTES_PER_ELEMENT),
    [get(row), get(end), wasm.lessUnsigned].flat(),
  )
  return wasmModule({ name: 'differing', parameters: 5, i32Locals: 3, v128Locals: 0, body })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const module of [scoreModule(), differingModule()])
    console.log(Buffer.from(module).toString('base64'))
}
