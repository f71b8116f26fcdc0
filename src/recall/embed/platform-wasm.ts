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
