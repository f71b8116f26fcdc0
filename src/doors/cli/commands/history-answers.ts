import type { lookingBack } from '../../../operations/looking-back.ts'
import {
  checkpointPage,
  contradictionsPage,
  diffPage,
  historyPage,
  uncertainPage,
} from '../render/history-pages.ts'
import { memoryTable } from '../render/memory.ts'
import { jsonText } from '../render/words.ts'
import { type Answers, ok } from './answer.ts'

export const historyAnswers: Answers<keyof typeof lookingBack> = {
  history: (history) => ok(history, (page) => historyPage(history, page)),
  diff: (diff) => ok(diff, (page) => diffPage(diff, page)),
  uncertain: (found) => ok(found, (page) => uncertainPage(found, page)),
  contradictions: (found) => ok(found, (page) => contradictionsPage(found, page)),
  ungrounded: (beliefs) =>
    ok(beliefs, (page) =>
      beliefs.length === 0
        ? ['Every belief still has something to stand on.']
        : memoryTable(beliefs, page),
    ),
  checkpoint: (signed) => ok(signed, (page) => checkpointPage(signed, page)),
  // Shown raw, because programs read or keep the receipt.
  prove: (receipt) => ok(receipt, () => [jsonText(receipt)]),
}
