import { MunimentError } from '../../../domain/errors.ts'
import type { LabelName } from '../../../domain/labels.ts'
import type { WriteResult } from '../../../domain/write.ts'
import type { AuditReport } from '../../../engine/audit/codes.ts'
import { auditPage, auditVerdict } from '../../../operations/audit.ts'
import { whyPage } from '../../../operations/text/lineage.ts'
import type { Page } from '../../../operations/text/page.ts'
import { speaker } from '../../../operations/text/speaker.ts'
import { table } from '../../../operations/text/table.ts'
import { plural, shortRef, wrap } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import type { Scene } from '../host.ts'
import { castFor, refOf, WORDS } from './cast.ts'

const ECHOES = 808 // repeats of a preference in the memory behind this lesson
const TALLY_WINDOW_AND_A_BIT_MS = 11 * 60_000 // the policy's window is ten minutes

export interface Printer {
  readonly page: Page
  readonly say: (lines: readonly string[]) => void
}

/** The shown steps, for a program with --json. */
export interface Shown {
  readonly captured: readonly string[]
  readonly derived: readonly string[]
  readonly refused: {
    readonly code: string
    readonly message: string
    readonly hint: string | null
  }
  readonly echoes: { readonly sent: number; readonly before: Standing; readonly after: Standing }
  readonly audit: AuditReport
  readonly auditAfterTampering: AuditReport
}

export async function runStory(scene: Scene, print: Printer): Promise<Shown> {
  print.say(OPENING)
  const stack = await scene.open()
  const { first, words } = await firstHalf(stack, scene, print)
  await stack.close()
  const place = await scene.vandalise(WORDS.spoiled.from, WORDS.spoiled.to)
  const spoiled = await scene.open()
  const auditAfterTampering = await spoiled.ledger.audit()
  await spoiled.close()
  print.say([
    ...chapter(7, 'Tampered with: one letter of the file is changed behind its back', print.page),
    `   “${WORDS.spoiled.from}” is now “${WORDS.spoiled.to}” (${place}).`,
    ...indented(auditVerdict(auditAfterTampering, print.page)),
    `   That is ${print.page.ink.ref(shortRef(words))}: the words the user really said.`,
  ])
  return { ...first, auditAfterTampering }
}

const OPENING = [
  'muniment demo: memory with provenance.',
  'On a throw-away stack in a temporary folder; nothing of yours is touched.',
]

async function firstHalf(stack: Stack, scene: Scene, print: Printer) {
  const cast = await castFor(stack)
  const user = await cast.userSays()
  const tool = await cast.toolReturns()
  const note = await cast.modelNotes(user)
  const belief = await cast.modelBelieves(note)
  print.say([...captured(user, tool, print.page), ...derived(note, belief, print.page)])
  const refused = await refusalOf(cast.modelGuesses())
  print.say(refusal(refused, print.page))
  const before = await standing(stack, belief)
  await Promise.all(Array.from({ length: ECHOES }, () => cast.modelEchoes(note)))
  scene.later(TALLY_WINDOW_AND_A_BIT_MS)
  await cast.toolReturns()
  const after = await standing(stack, belief)
  print.say(echoed({ before, after }, print.page))
  const why = await stack.history.why(refOf(belief))
  print.say([
    ...chapter(5, 'Explained: why does it believe that?', print.page),
    ...indented(whyPage(why, pageLater(print.page))),
  ])
  const audit = await stack.ledger.audit()
  print.say([
    ...chapter(6, 'Audited: every entry is recomputed from its bytes', print.page),
    ...indented(auditPage(audit, print.page)),
  ])
  const first = {
    captured: [refOf(user), refOf(tool)],
    derived: [refOf(note), refOf(belief)],
    refused: { code: refused.code, message: refused.message, hint: refused.hint ?? null },
    echoes: { sent: ECHOES, before, after },
    audit,
  }
  return { first, words: refOf(user) }
}

const chapter = (number: number, title: string, { ink }: Page): readonly string[] => [
  '',
  `${ink.strong(`${number}  ${title}`)}`,
]

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? '' : `   ${line}`))

function kept(rows: readonly (readonly [WriteResult, LabelName, string])[], { ink }: Page) {
  return indented(
    table(
      rows.map(([result, label, text]) => {
        const ref = shortRef(refOf(result))
        return [
          { text: ref, shown: ink.ref(ref) },
          { text: speaker(label) },
          { text: `tier ${result.tier}` },
          { text, shown: ink.quote(text) },
        ]
      }),
    ),
  )
}

const captured = (user: WriteResult, tool: WriteResult, page: Page): readonly string[] => [
  ...chapter(1, 'Captured: what was said and what was seen, word for word', page),
  ...kept(
    [
      [user, 'UserAsserted', WORDS.user],
      [tool, 'ExternalFirstHand', WORDS.tool],
    ],
    page,
  ),
]

const derived = (note: WriteResult, belief: WriteResult, page: Page): readonly string[] => [
  ...chapter(2, 'Derived: what a model makes of it, never above its own tier', page),
  ...kept(
    [
      [note, 'ModelDerived', WORDS.note],
      [belief, 'ModelDerived', WORDS.belief],
    ],
    page,
  ),
]

async function refusalOf(write: Promise<unknown>): Promise<MunimentError> {
  try {
    await write
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new MunimentError('invariant', 'a belief without a source was let in')
}

const refusal = ({ message, hint }: MunimentError, { ink, width }: Page) => [
  '',
  `${ink.strong('3  Refused: a belief from nowhere')}`,
  `   ${ink.quote(WORDS.unsourced)}`,
  `   ${ink.bad('refused')}: ${message}`,
  ...wrap(hint ?? '', width - 3).map((line) => `   ${ink.hint(line)}`),
]

interface Standing {
  readonly beliefs: number
  readonly confidence: number
  readonly evidence: number
  readonly repeatEntries: number
}

/** The numbers repetition could move, if repetition counted. */
async function standing(stack: Stack, belief: WriteResult): Promise<Standing> {
  const { memory, changes } = await stack.history.why(refOf(belief))
  const { belief: beliefs = 0 } = await stack.getStats()
  return {
    beliefs,
    confidence: memory.confidence,
    evidence: memory.provenance.sourceEpisodes.length + memory.provenance.derivedFrom.length,
    repeatEntries: changes.length - 1,
  }
}

const standingText = ({ beliefs, confidence, evidence }: Standing): string =>
  `${plural(beliefs, 'belief')}, confidence ${confidence.toFixed(2)}, ${plural(evidence, 'source')}`

const echoed = (
  { before, after }: { readonly before: Standing; readonly after: Standing },
  page: Page,
): readonly string[] => [
  ...chapter(4, `Echoed: the agent reads its belief back as news, ${ECHOES} times`, page),
  `   before  ${standingText(before)}`,
  `   after   ${standingText(after)}; ${after.repeatEntries} entries: the first, and a tally of ${ECHOES - 1}`,
  '   Repetition is not evidence. (Eleven minutes pass on the demo’s clock, until it is tallied.)',
]

/** The stack's clock was moved on; the page takes the later time and is indented a little. */
const pageLater = (page: Page): Page => ({
  ...page,
  now: page.now + TALLY_WINDOW_AND_A_BIT_MS,
  width: page.width - 3,
})
