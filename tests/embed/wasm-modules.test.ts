import { expect, test } from 'vitest'
import { differingModule, scoreModule } from '../../scripts/embedder/wasm-modules.ts'
import { DIFFERING_MODULE, SCORE_MODULE, wasmBytes } from '../../src/recall/embed/scan-kernel.ts'

test('the bytes of both modules are those that the script makes', () => {
  expect(wasmBytes(SCORE_MODULE)).toEqual(scoreModule())
  expect(wasmBytes(DIFFERING_MODULE)).toEqual(differingModule())
})
