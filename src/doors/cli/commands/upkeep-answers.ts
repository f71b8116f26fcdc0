import { parseRef } from '../../../domain/ids.ts'
import type { StateResult } from '../../../domain/write.ts'
import type { Forgetting } from '../../../engine/change/forget.ts'
import type { keeping } from '../../../operations/keeping.ts'
import { EXIT } from '../exit-codes.ts'
import { clockPage } from '../render/clock.ts'
import { distrustPage } from '../render/distrusted.ts'
import { erasedPage, readmittedLine } from '../render/erased.ts'
import { resolvedPage, reviewPage } from '../render/review.ts'
import {
  assessmentsPage,
  importedPage,
  maintainedPage,
  promotedPage,
  trustPage,
  wouldForgetPage,
} from '../render/upkeep.ts'
import { jsonText } from '../render/words.ts'
import { type Answers, ok } from './answer.ts'

export const upkeepAnswers: Answers<keyof typeof keeping> = {
  review: (result, { waiting = null }) =>
    ok(result, (page) =>
      'answer' in result ? resolvedPage(result, page) : reviewPage(result, { waiting, page }),
    ),
  trust: (result) =>
    ok(result, (page) =>
      'entityId' in result ? trustPage(result, page) : assessmentsPage(result, page),
    ),
  promote: (promoted) => ok(promoted, (page) => promotedPage(promoted, page)),
  maintain: (result) =>
    ok(result, (page) =>
      isForgetting(result) ? wouldForgetPage(result, page) : maintainedPage(result),
    ),
  import: (report, { input }) => ({
    json: report,
    text: (page) => importedPage(report, { isVouched: input.vouch === true }, page),
    exit: report.refused.length === 0 ? EXIT.ok : EXIT.refused,
  }),
  erase: (result, { input, who }) => ({
    json: result,
    text: (page) => {
      const ref = typeof input.ref === 'string' ? parseRef(input.ref) : null
      return erasedPage(result, { ref, who }, page)
    },
    exit: result.proposed === null ? EXIT.ok : EXIT.review,
  }),
  // Shown raw, because a person keeps the certificate.
  certificate: (certificate) => ok(certificate, () => [jsonText(certificate)]),
  readmit: (result) => ok(result, () => [readmittedLine(result)]),
  distrust: (result, { input, who }) => ({
    json: result,
    text: (page) => {
      const ref = typeof input.ref === 'string' ? parseRef(input.ref) : null
      return distrustPage(result, { ref, who }, page)
    },
    exit: 'turned' in result && result.turned.proposed !== null ? EXIT.review : EXIT.ok,
  }),
  clock: (result) => ok(result, () => clockPage(result)),
  state: (result) => ok(result, () => [stateLine(result)]),
}

const isForgetting = (result: object): result is Forgetting => 'swept' in result

const stateLine = ({ state, entry }: StateResult): string =>
  entry === null ? state : `${state}, since entry ${entry.seq}`
