import { LimitError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'

/** Arguments may contain a body, one level deeper than elsewhere. */
const DEPTH_MAX = LIMITS.bodyDepthMax + 1

/** Refuses arguments nested too deep, before any code walks them by recursion. */
export function assertNesting(given: unknown): void {
  let level: readonly unknown[] = [given]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw tooDeep()
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
}

const tooDeep = (): LimitError =>
  new LimitError('bodyDepthMax', LIMITS.bodyDepthMax, LIMITS.bodyDepthMax + 1, {
    hint: 'Nothing was written. Give a flatter value, or put the nested part into a text.',
    issues: [{ path: 'arguments', message: `nested deeper than ${LIMITS.bodyDepthMax}` }],
  })
