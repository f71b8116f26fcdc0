import type { Case } from '../manifest/case.ts'
import { hookCases } from './protocol-components.ts'
import { coreCases } from './protocol-core.ts'
import { exportCases } from './protocol-export.ts'
import type { StackGiven } from './protocol-given.ts'
import { loadCases } from './protocol-load.ts'
import { metaCases } from './protocol-meta.ts'
import { listCases, namedCases } from './protocol-reads.ts'
import { registryCases } from './protocol-registry.ts'
import { reviewCases } from './protocol-review.ts'
import { saveCases, updateCases } from './protocol-saves.ts'
import { searchCases } from './protocol-search.ts'
import { strengthCases } from './protocol-strength.ts'
import { suggestionCases } from './protocol-suggestions.ts'
import { featureCases, trustCases } from './protocol-trust.ts'

/**
 * The promises of a stack over every store, row by row. Run each case on a result of `givenStack`.
 */
export const PROTOCOL_SUITE: readonly Case<StackGiven>[] = [
  ...coreCases,
  ...saveCases,
  ...updateCases,
  ...suggestionCases,
  ...listCases,
  ...namedCases,
  ...strengthCases,
  ...searchCases,
  ...loadCases,
  ...metaCases,
  ...reviewCases,
  ...trustCases,
  ...featureCases,
  ...exportCases,
  ...registryCases,
  ...hookCases,
]
