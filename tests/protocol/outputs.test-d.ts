import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { OPERATIONS, OperationName, ResultOf } from '../../src/operations/operations.ts'

/** Of each operation, whether what it answers with is what its schema says. */
type Fits = {
  [N in OperationName]: ResultOf<N> extends z.input<ReturnType<(typeof OPERATIONS)[N]['output']>>
    ? true
    : false
}

test('what every operation answers with is what its schema says', () => {
  expectTypeOf<Fits>().toEqualTypeOf<Record<OperationName, true>>()
})
