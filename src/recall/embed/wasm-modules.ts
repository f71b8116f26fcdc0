/** The used part of the platform's WebAssembly; absent in some hosts. */
export interface WebAssemblyOf {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  readonly Memory: new (size: {
    initial: number
  }) => {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}

declare const WebAssembly: WebAssemblyOf | undefined

export const webAssembly = (): WebAssemblyOf | undefined =>
  typeof WebAssembly === 'undefined' ? undefined : WebAssembly

/** score(query, rows, end, stride, scores): the dot product of the query with every row. */
export const SCORE_MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgAAAwIBAAcJAQVzY29yZQAACoMBAYABAgJ/AXsDQCAA' +
  'IQX9DAAAAAAAAAAAAAAAAAAAAAAhByABIANqIQYDQCAB/QEAACAF/QAAAP26ASAH/a4BIQcgBUEQaiEFIAFBCGoh' +
  'ASABIAZJDQALIAQgB/0bACAH/RsBIAf9GwIgB/0bA2pqajYAACAEQQRqIQQgASACSQ0ACws='

/** differing(query, rows, end, stride, sums): the bits that differ between the query and every row. */
export const DIFFERING_MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNlbnYGbWVtb3J5AgAAAwIBAAcNAQlkaWZmZXJpbmcAAApZAVcCA38AewNA' +
  'IAAhBUEAIQcgASADaiEGA0AgASkAACAFKQAAhXunIAdqIQcgBUEIaiEFIAFBCGohASABIAZJDQALIAQgBzYAACAE' +
  'QQRqIQQgASACSQ0ACws='

/** The bytes of a module, as `scripts/embedder/wasm-modules.ts` prints them. */
export const wasmBytes = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
