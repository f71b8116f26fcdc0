import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * For programs that tests start from their source: Node keeps what it compiled of it here, where the
 * next start finds it. Without that, starting is most of what such a test takes.
 */
export const COMPILED = { NODE_COMPILE_CACHE: path.join(tmpdir(), 'muniment-compiled') } as const
