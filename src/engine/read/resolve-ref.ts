import { MunimentError } from '../../domain/errors.ts'
import { isRecordKind, parseRef, type Ref, tryParseRef } from '../../domain/ids.ts'
import type { Engine } from '../engine.ts'

const REF_PART = /^[0-9a-f-]{4,36}$/

/**
 * The ref for `kind:part` or `part`, where the part starts or ends exactly one id, in full or as
 * lists show ids.
 */
export async function resolveRef({ read }: Pick<Engine, 'read'>, text: string): Promise<Ref> {
  if (tryParseRef(text) || typeof text !== 'string') return parseRef(text)
  const colon = text.indexOf(':')
  const kind = colon < 0 ? null : text.slice(0, colon)
  const part = text.slice(colon + 1).toLowerCase()
  if ((kind !== null && !isRecordKind(kind)) || !REF_PART.test(part)) {
    throw new MunimentError(
      'invalid_ref',
      'That is no memory: give kind:id, or what a list shows of the id: at least four of its characters, which are 0-9 and a-f.',
    )
  }
  const [only, other] = await read({
    type: 'memories',
    as: 'ref',
    where: { idPart: part, ...(kind === null ? {} : { kind: kind }) },
    order: 'oldest',
    limit: 2,
  })
  if (only === undefined) {
    throw new MunimentError('not_found', `Nothing is called ${text}.`, {
      hint: 'Give what a list shows of it, or four characters or more from the start or end of that.',
      facts: { named: text },
    })
  }
  if (other === undefined) return only
  throw new MunimentError('invalid_ref', `${text} could be several memories.`, {
    hint: 'Give more of the id.',
  })
}
