import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { ResultOf } from '../../src/doors/operate.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import type { OUTPUTS } from '../../src/operations/outputs.ts'

/** Of each operation, whether what it answers with is what its schema says. */
type Fits = {
  [N in OperationName]: ResultOf<N> extends z.input<(typeof OUTPUTS)[N]> ? true : false
}

test('what every operation answers with is what its schema says', () => {
  expectTypeOf<Fits>().toEqualTypeOf<Record<OperationName, true>>()
})
