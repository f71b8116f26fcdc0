import type { Ref } from '../../src/domain/ids.ts'
import { cutFrom, type EchoPick, edited, editedClaim } from './echo-picks.ts'
import type { DraftPick, WayPick } from './picks.ts'
import { captureRef, refAt } from './reference/lineage.ts'
import { isLive } from './reference/tables.ts'
import type { Book } from './reference/words.ts'
import { ACCOUNTS, STATEMENTS } from './sayings.ts'
import { type GateDraft, PLAIN, type Step } from './steps.ts'

/** What a history is written with. */
export interface Pen {
  readonly book: () => Readonly<Book>
  readonly take: (step: Step) => void
  readonly write: (waitMs: number, draft: GateDraft) => void
  readonly newRef: (kind: string) => Ref
  readonly draftOf: (draft: DraftPick, way: WayPick) => GateDraft
}

export function echo(pen: Pen, chosen: EchoPick): void {
  switch (chosen.type) {
    case 'reword':
      reword(pen, chosen)
      break
    case 'parrot':
      parrot(pen, chosen)
      break
    case 'quote':
      quote(pen, chosen)
      break
    case 'overrule':
      overrule(pen, chosen)
  }
}

const MISSING = refAt('note', 900_000)

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length]

/** Words that tell nothing: the rest is the same in the same order. */
const OPENINGS = ['So', 'And so', 'Then', 'But then', 'Here']

/** A model is shown something and says it again, more or less. */
function reword(
  pen: Pen,
  { waitMs, which, isShown, how, draft, way }: Extract<EchoPick, { type: 'reword' }>,
) {
  const { memories } = pen.book()
  const heard = memories.filter(({ kind }) => kind === 'note' || kind === 'claim')
  const memory = at(heard, which)
  if (!memory) return
  const by = { door: way.door, person: way.person }
  const { ref, tier, text, claim } = memory
  if (isShown) pen.take({ type: 'serve', waitMs, ref, tier, text, by })
  // What is noise in a belief is none in a note, and nobody looks for it there.
  const isClean = STATEMENTS.get(text)?.length === 0 || memory.kind === 'claim'
  const kind = how === 'as a belief' && isClean ? 'belief' : memory.kind
  const made = pen.draftOf({ ...draft, kind, label: 'ModelDerived', isAllowed: true }, way)
  const saying = {
    ...made.saying,
    phrase: edited(text, how),
    claim: { ...claim, ...editedClaim(claim, how) },
  }
  pen.write(0, { ...made, saying })
}

/** A model is shown a note and says it again in one way after the other; then somebody objects. */
function parrot(
  pen: Pen,
  { waitMs, which, times, isSaidSince, isWished, way }: Extract<EchoPick, { type: 'parrot' }>,
): void {
  const { memories } = pen.book()
  const memory = at(
    memories.filter(({ kind }) => kind === 'note'),
    which,
  )
  const raw = memories.find(({ kind, disposition }) => kind === 'raw' && isLive({ disposition }))
  if (!memory || !raw) return
  const { ref: of, tier, text } = memory
  const by = { door: way.door, person: way.person }
  pen.take({ type: 'serve', waitMs, ref: of, tier, text, by })
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const base = { ...PLAIN, kind: 'note', parents: [raw.ref] } as const
  const saying = (n: number) => ({
    ...PLAIN.saying,
    phrase: `${OPENINGS[n % OPENINGS.length]}, ${text}`,
  })
  for (let n = 0; n < times; n += 1) {
    pen.write(0, { ...base, ...model, ...way, saying: saying(n), ref: pen.newRef('note') })
  }
  const last = pen.book().memories.at(-1)?.ref ?? of
  if (isWished) pen.take({ type: 'overrule', waitMs: 0, what: last, by })
  if (isSaidSince) {
    pen.write(0, { ...base, saying: saying(times - 1), ref: pen.newRef('note') })
  }
  const host = { door: 'lib', person: false } as const
  for (const what of [of, last, last]) pen.take({ type: 'overrule', waitMs: 0, what, by: host })
}

/** Somebody meets with something, and a model quotes it. */
function quote(pen: Pen, chosen: Extract<EchoPick, { type: 'quote' }>): void {
  const { waitMs, which, account, met, cut, value, draft, way } = chosen
  const phrase = ACCOUNTS[account % ACCOUNTS.length] ?? ''
  const kind = met.isNote ? 'note' : 'raw'
  const first = { ...PLAIN, kind, actor: met.actor, saying: { ...PLAIN.saying, phrase } } as const
  const ref = pen.newRef(kind)
  const ground = at(
    pen.book().memories.filter((memory) => memory.kind === 'raw'),
    which,
  )
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const parents = met.isNote && ground ? [ground.ref] : []
  const captures = [{ kind: 'raw' as const, ref: captureRef(ref, 'raw', 0), phrase }]
  const capturing = met.isCaptured ? { captures } : {}
  pen.write(waitMs, { ...first, ref, parents, ...(met.isModel ? model : {}), ...capturing })
  const source = met.isCaptured ? captureRef(ref, 'raw', 0) : ref
  if (chosen.isServed && ground) {
    const told = pen.newRef('note')
    pen.write(0, { ...first, kind: 'note', ref: told, actor: 'cleo', parents: [ground.ref] })
    const by = { door: way.door, person: false }
    pen.take({ type: 'serve', waitMs: 0, ref: told, tier: 2, text: phrase, by })
  }
  const made = pen.draftOf({ ...draft, captures: 0, isAllowed: true }, way)
  const claim = { ...made.saying.claim, value }
  const saying = { ...made.saying, phrase: cutFrom(phrase, 'sentence'), claim }
  const said = cut === 'nothing' ? null : cutFrom(phrase, cut, which)
  const cited = [source, ...made.parents]
  const other = { ...made.saying, claim: { ...claim, value: 'Rome' } }
  // A quote stands up to words of its own tier, before it or after it, and to none above.
  const supplied = { ...PLAIN.supplied, tier: which % 2 === 0 ? 1 : null } as const
  const answer = { ...PLAIN, kind: 'claim', actor: 'cleo', saying: other, supplied } as const
  const answered = (): void => {
    if (chosen.isAnswered && ground) {
      pen.write(0, { ...answer, ref: pen.newRef('claim'), parents: [ground.ref] })
    }
  }
  if (which % 3 === 0) answered()
  pen.write(0, { ...made, saying, quote: said, parents: [...new Set(cited)] })
  if (which % 3 !== 0) answered()
}

function overrule(
  pen: Pen,
  { waitMs, which, isAimed, by }: Extract<EchoPick, { type: 'overrule' }>,
) {
  const { memories } = pen.book()
  const linked = memories.filter(({ rewordingOf }) => rewordingOf !== null)
  const memory = at(isAimed ? linked : memories, which)
  pen.take({ type: 'overrule', waitMs, what: memory?.ref ?? MISSING, by })
}
