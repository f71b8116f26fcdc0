import type { RecalledRow } from '../../ports/recalled.ts'
import type { Untrusted } from './rows.ts'
import type { SqlRow } from './values.ts'

export const recalledOf = ([
  seq,
  revisionSeq,
  label,
  sourceId,
  session,
  bornAt,
  strength,
  terms,
]: SqlRow) =>
  ({
    seq,
    revisionSeq,
    label,
    sourceId,
    session,
    bornAt,
    strength,
    terms,
  }) as unknown as Untrusted<RecalledRow>
