import type { ledger } from '../../../operations/ledger.ts'
import { EXIT } from '../exit-codes.ts'
import { entriesPage, headsPage, receiptsPage, replayPage } from '../render/ledger.ts'
import type { Page } from '../render/page.ts'
import { jsonText } from '../render/words.ts'
import { type Answers, ok } from './answer.ts'

export const ledgerAnswers: Answers<keyof typeof ledger> = {
  entries: (found) => ok(found, (page) => entriesPage(found, page)),
  heads: (found) => ok(found, (page) => headsPage(found, page)),
  // Shown raw, because programs read or keep these answers.
  consistency: (proof) => ok(proof, () => [jsonText(proof)]),
  prov: (document) => ok(document, () => [jsonText(document)]),
  policy: (inForce) => ok(inForce, () => [jsonText(inForce)]),
  replay: (told) => {
    const text = (page: Page) => replayPage(told, page)
    return { json: told, text, exit: told.code === 'decision.differs' ? EXIT.audit : EXIT.ok }
  },
  receipts: (served) => ok(served, (page) => receiptsPage(served, page)),
}
