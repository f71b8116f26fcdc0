import type { Case } from '../manifest/case.ts'
import type { StoreGiven } from './given.ts'
import { bytesCases } from './store-bytes.ts'
import { commitCases } from './store-commit.ts'
import { durableCases } from './store-durable.ts'
import { eraseCases } from './store-erase.ts'
import { familyCases } from './store-family.ts'
import { gatherCases } from './store-gather.ts'
import { lineageCases } from './store-lineage.ts'
import { linesCases } from './store-lines.ts'
import { lockCases } from './store-lock.ts'
import { matchCases } from './store-match.ts'
import { momentCases } from './store-moments.ts'
import { narrowCases } from './store-narrow.ts'
import { readCases } from './store-read.ts'
import { sameCases } from './store-same.ts'
import { standingCases } from './store-standing.ts'
import { vectorCases } from './store-vectors.ts'
import { waitingCases } from './store-waiting.ts'

/** The promises of every store. Run each case on a separate store, made by `givenStore`. */
export const STORE_SUITE: readonly Case<StoreGiven>[] = [
  ...standingCases,
  ...commitCases,
  ...eraseCases,
  ...gatherCases,
  ...familyCases,
  ...readCases,
  ...narrowCases,
  ...matchCases,
  ...vectorCases,
  ...waitingCases,
  ...lineageCases,
  ...linesCases,
  ...bytesCases,
  ...lockCases,
  ...momentCases,
  ...durableCases,
  ...sameCases,
]
