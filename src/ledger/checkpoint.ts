import { type Hash, isHash } from '../domain/ids.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { fromHex, toHex } from './sha256.ts'

/** The content of a checkpoint: a log's name, the number of entries, and their root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

const SIZE = /^(?:0|[1-9]\d{0,15})$/

/** The stack's own uid names the log, so that two stacks of equal name are two logs. */
export const originOf = (uid: string, stackId: string): string => `muniment/${uid}/${stackId}`

/** True for a head of any stack with the given name. */
export const isOfStack = ({ origin }: Checkpoint, stackId: string): boolean =>
  origin.split('/').slice(2).join('/') === stackId

/** C2SP tlog-checkpoint: origin, size in decimal, root in base64, each on a line. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(fromHex(root))}\n`

/** Null for text other than a checkpoint; no extension lines after the third are known. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n')
  if (origin === '' || end !== '' || more.length > 0 || !SIZE.test(size)) return null
  const bytes = fromBase64(root)
  const hash = bytes === null ? '' : toHex(bytes)
  const count = Number(size)
  return isHash(hash) && Number.isSafeInteger(count) ? { origin, size: count, root: hash } : null
}
