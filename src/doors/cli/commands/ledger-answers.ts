import type { ledger } from '../../../protocol/ledger.ts'
import { entriesPage, headsPage, receiptsPage } from '../render/ledger.ts'
import { jsonText } from '../render/words.ts'
import { type Answers, ok } from './answer.ts'

export const ledgerAnswers: Answers<keyof typeof ledger> = {
  entries: (found) => ok(found, (page) => entriesPage(found, page)),
  heads: (found) => ok(found, (page) => headsPage(found, page)),
  // What is for programs and for keeping is shown as it is.
  consistency: (proof) => ok(proof, () => [jsonText(proof)]),
  prov: (document) => ok(document, () => [jsonText(document)]),
  policy: (inForce) => ok(inForce, () => [jsonText(inForce)]),
  receipts: (served) => ok(served, (page) => receiptsPage(served, page)),
}
