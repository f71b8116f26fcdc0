import { staticEmbedder, staticKinds } from '../../src/compose/static-embedder.ts'
import { DEFAULT_FUSION, SIGNALS } from '../../src/domain/words/search.ts'
import { termsOf } from '../../src/domain/words/terms.ts'
import type { Candidate, CandidateSet } from '../../src/recall/rank/candidates.ts'
import { readQuestion } from '../../src/recall/rank/question.ts'
import { signalsOf, unsaidShare } from '../../src/recall/rank/signals.ts'
import { devDays } from './agent-day-set.ts'
import { type Conversation, isAnswerable, momentOf, readConversations } from './data.ts'
import { type Answered, auc, measuresOf, quantile } from './measures.ts'

// Learns what each signal is worth: a linear ranker under a softmax over a question's candidates,
// left-out conversations telling whether it holds elsewhere. The figures that are printed are of
// conversations that the weights have not seen.

/** Not learnt: every memory of these sets is as strong as the next. */
const LEARNT = SIGNALS.filter((signal) => signal !== 'strength')
const WIDTH = LEARNT.length
const FOLDS = 5
const STEPS = 150
const L2 = 1e-3
const RIVALS = 60 // candidates beside the gold ones that a step looks at

interface Case {
  readonly set: string
  readonly conversation: number
  readonly answerable: boolean
  readonly category: string
  readonly ids: readonly string[]
  readonly gold: readonly string[]
  readonly values: Float64Array
  /** Candidates that a step looks at, the gold ones first. */
  readonly looked: readonly number[]
  readonly golds: number
  /** Share of the question, by rarity, that no memory says. */
  readonly unsaid: number
}

function foundIn({ turns }: Conversation): CandidateSet {
  const candidates: Candidate[] = turns.map(({ session, at, role, speaker, text }, seq) => ({
    seq,
    terms: termsOf(text),
    speaker: speaker === role ? null : speaker,
    label: role === 'assistant' ? 'ModelDerived' : 'UserAsserted',
    tier: role === 'assistant' ? 1 : 3,
    atMs: momentOf(at),
    session,
    strength: 1,
    cosine: null,
  }))
  const holding = new Map<string, number>()
  for (const { terms } of candidates)
    for (const term of new Set(terms)) holding.set(term, (holding.get(term) ?? 0) + 1)
  const sessions = grouped(candidates, ({ session }) => session)
  const runs = [...sessions.values()].map((run) => run.map(({ seq }) => seq))
  return { documents: candidates.length, holding, candidates, runs }
}

const embedder = staticEmbedder()

function cosine(a: Int8Array, b: Int8Array): number {
  let [dot, as, bs] = [0, 0, 0]
  a.forEach((x, at) => {
    const y = b[at] ?? 0
    dot += x * y
    as += x * x
    bs += y * y
  })
  return dot / (Math.sqrt(as * bs) || 1)
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function casesOf(conversation: Conversation, number: number): readonly Case[] {
  const found = foundIn(conversation)
  const ids = conversation.turns.map(({ id }) => id)
  const vectors = conversation.turns.map(({ text }) => embedder.embed(text))
  const now = Math.max(...found.candidates.map(({ atMs }) => atMs))
  return conversation.questions.map((asked) => {
    const vector = embedder.embed(asked.text)
    const candidates = found.candidates.map((candidate, at) => ({
      ...candidate,
      cosine: cosine(vector, vectors[at] ?? vector),
    }))
    const question = readQuestion(asked.text, now, staticKinds().membersOf)
    const signals = signalsOf(question, { ...found, candidates })
    const values = Float64Array.from(signals.flatMap((each) => LEARNT.map((name) => each[name])))
    const gold = ids.flatMap((id, at) => (asked.evidence.includes(id) ? at : []))
    const rivals = signals
      .map((each, at) => ({
        at,
        rough: each.words + each.before + 0.5 * each.firstHand + each.speaker / 3,
      }))
      .filter(({ at }) => !gold.includes(at) && !asked.beside?.includes(ids[at] ?? ''))
      .sort((a, b) => b.rough - a.rough)
      .slice(0, RIVALS)
      .map(({ at }) => at)
    return {
      set: conversation.set,
      conversation: number,
      answerable: isAnswerable(asked),
      category: asked.category,
      ids,
      gold: asked.evidence,
      values,
      looked: [...gold, ...rivals],
      golds: gold.length,
      unsaid: unsaidShare(question, found),
    }
  })
}

const sumOf = ({ values }: Case, at: number, weights: readonly number[]): number => {
  let sum = 0
  for (let k = 0; k < WIDTH; k += 1) sum += (values[at * WIDTH + k] ?? 0) * (weights[k] ?? 0)
  return sum
}

/** Adam on the mean loss, every set counting as much as its share says. */
function learn(
  cases: readonly Case[],
  shares: Readonly<Record<string, number>>,
): readonly number[] {
  const weights = new Array<number>(WIDTH).fill(0)
  const speed = new Array<number>(WIDTH).fill(0)
  const spread = new Array<number>(WIDTH).fill(0)
  const counts = new Map<string, number>()
  for (const { set } of cases) counts.set(set, (counts.get(set) ?? 0) + 1)
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = new Array<number>(WIDTH).fill(0)
    for (const each of cases)
      addSlope(each, weights, slope, (shares[each.set] ?? 1) / (counts.get(each.set) ?? 1))
    for (let k = 0; k < WIDTH; k += 1) {
      const g = (slope[k] ?? 0) + L2 * (weights[k] ?? 0)
      speed[k] = 0.9 * (speed[k] ?? 0) + 0.1 * g
      spread[k] = 0.99 * (spread[k] ?? 0) + 0.01 * g * g
      const move =
        (speed[k] ?? 0) /
        (1 - 0.9 ** step) /
        (Math.sqrt((spread[k] ?? 0) / (1 - 0.99 ** step)) + 1e-8)
      weights[k] = (weights[k] ?? 0) - 0.1 * move
    }
  }
  return weights
}

function addSlope(each: Case, weights: readonly number[], slope: number[], share: number): void {
  const { looked, golds, values } = each
  const sums = looked.map((at) => sumOf(each, at, weights))
  const top = Math.max(...sums)
  const odds = sums.map((sum) => Math.exp(sum - top))
  const total = odds.reduce((sum, odd) => sum + odd, 0)
  looked.forEach((at, rank) => {
    const pull = (odds[rank] ?? 0) / total - (rank < golds ? 1 / golds : 0)
    for (let k = 0; k < WIDTH; k += 1)
      slope[k] = (slope[k] ?? 0) + share * pull * (values[at * WIDTH + k] ?? 0)
  })
}

function answered(each: Case, weights: readonly number[]): Answered {
  const sums = each.ids.map((_, at) => sumOf(each, at, weights))
  const order = each.ids.map((_, at) => at).sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0) || a - b)
  return { gold: each.gold, order: order.map((at) => each.ids[at] ?? '') }
}

const folder = process.argv[2] ?? process.env.MUNIMENT_DATA
if (folder === undefined) throw new Error('Name the folder of the data, or set MUNIMENT_DATA.')
const shares = { locomo: 1, beam: 3, 'agent-day': 1 } // there are many small questions in one, few large ones in the other
const conversations = [...readConversations(folder), ...devDays()]
const cases = conversations.flatMap(casesOf)
const usable = cases.filter(({ answerable, golds }) => answerable && golds > 0)
const foldOf = ({ conversation }: Case): number => conversation % FOLDS
const whole = learn(usable, shares)
const folds = Array.from({ length: FOLDS }, (_, fold) =>
  learn(
    usable.filter((each) => foldOf(each) !== fold),
    shares,
  ),
)
const unseen = (each: Case): readonly number[] => folds[foldOf(each)] ?? whole
const figure = (value: number): string => value.toFixed(3)

for (const [set, own] of grouped(usable, (each) => each.set)) {
  for (const [name, weightsOf] of [
    ['unseen', unseen],
    ['seen', () => whole],
  ] as const) {
    const m = measuresOf(own.map((each) => answered(each, weightsOf(each))))
    console.log(
      set.padEnd(8),
      name.padEnd(7),
      `R@5 ${figure(m.r5)} R@10 ${figure(m.r10)} R@20 ${figure(m.r20)} R@50 ${figure(m.r50)} NDCG@10 ${figure(m.ndcg10)} MRR ${figure(m.mrr)}`,
    )
  }
  for (const [category, some] of grouped(own, (each) => each.category)) {
    const m = measuresOf(some.map((each) => answered(each, unseen(each))))
    console.log(
      '  ',
      category.padEnd(28),
      `${m.questions}`.padStart(4),
      `R@10 ${figure(m.r10)} NDCG@10 ${figure(m.ndcg10)}`,
    )
  }
}
console.log(LEARNT.map((name, k) => `${name}: ${(whole[k] ?? 0).toFixed(2)}`).join('\n'))

/** Log odds by least squares of the log loss, for a handful of columns; the last weight is the offset. */
function logistic(
  rows: readonly (readonly number[])[],
  truths: readonly boolean[],
): readonly number[] {
  const width = (rows[0]?.length ?? 0) + 1
  const weights = new Array<number>(width).fill(0)
  const shareOf = {
    yes: truths.filter(Boolean).length,
    no: truths.filter((truth) => !truth).length,
  }
  const sizes = Array.from({ length: width }, (_, k) =>
    Math.max(...rows.map((row) => Math.abs(row[k] ?? 1)), 1e-9),
  )
  for (let step = 0; step < 3_000; step += 1) {
    const slope = new Array<number>(width).fill(0)
    rows.forEach((row, at) => {
      const scaled = sizes.map((size, k) => (row[k] ?? 1) / size)
      const odds = scaled.reduce((sum, value, k) => sum + value * (weights[k] ?? 0), 0)
      const truth = truths[at] ?? false
      const miss = 1 / (1 + Math.exp(-odds)) - (truth ? 1 : 0)
      const share = BALANCED ? 1 / (truth ? shareOf.yes : shareOf.no) : 2 / rows.length
      scaled.forEach((value, k) => {
        slope[k] = (slope[k] ?? 0) + share * miss * value
      })
    })
    for (let k = 0; k < width; k += 1) weights[k] = (weights[k] ?? 0) - 2 * (slope[k] ?? 0)
  }
  return weights.map((weight, k) => weight / (sizes[k] ?? 1))
}
let BALANCED = false

const SPEAKER = LEARNT.indexOf('speaker')
const COVERAGE = LEARNT.indexOf('coverage')

const SHIPPED = LEARNT.map((name) => DEFAULT_FUSION.weights[name])
const FIRST = 10

/** As `answerSigns` has them, of the weights that are shipped. */
function signsOf(each: Case): readonly number[] {
  const valueAt = (at: number, signal: number): number => each.values[at * WIDTH + signal] ?? 0
  const order = each.ids
    .map((_, at) => ({ at, sum: sumOf(each, at, SHIPPED) + DEFAULT_FUSION.weights.strength }))
    .sort((a, b) => b.sum - a.sum)
  const coverage = order.slice(0, FIRST).map(({ at }) => valueAt(at, COVERAGE))
  let [named, others] = [-Infinity, -Infinity]
  for (const { at, sum } of order) {
    const speaker = valueAt(at, SPEAKER)
    if (speaker > 0) named = Math.max(named, sum - speaker * (SHIPPED[SPEAKER] ?? 0))
    else others = Math.max(others, sum)
  }
  const lead = named - others
  const best = order[0]?.sum ?? 0
  const otherSaid = Number.isFinite(lead) ? Math.min(0, lead) : 0
  return [best, Math.max(0, ...coverage), otherSaid, each.unsaid]
}

/** Questions that another store answers; the topics of an agent's day share one store. */
function strangeTo(conversation: Conversation): Conversation['questions'] {
  const same = conversations.filter(({ set }) => set === conversation.set)
  const at = conversation.set === 'agent-day' ? 0 : (same.indexOf(conversation) + 1) % same.length
  const other = (conversation.set === 'agent-day' ? conversations : same)[at]
  const all = (other?.questions ?? []).filter(isAnswerable)
  return conversation.set === 'agent-day' ? all.filter((_, place) => place % 10 === 0) : all
}

// What nobody can answer: what is asked of the wrong person, and what is asked of another's store.
const foreign = conversations.flatMap((conversation, number) => {
  const questions = strangeTo(conversation)
  return casesOf({ ...conversation, questions }, number).map((each) => ({
    ...each,
    answerable: false,
  }))
})
const wrong = cases.filter(({ answerable }) => !answerable)
BALANCED = true
const judged = [...usable, ...wrong, ...foreign].map((each) => ({ each, signs: signsOf(each) }))
const oddsOf = (signs: readonly number[], weights: readonly number[]): number =>
  [...signs, 1].reduce((sum, sign, k) => sum + sign * (weights[k] ?? 0), 0)
const judgeOf = (some: typeof judged): readonly number[] =>
  logistic(
    some.map(({ signs }) => signs),
    some.map(({ each }) => each.answerable),
  )
const judges = Array.from({ length: FOLDS }, (_, fold) =>
  judgeOf(judged.filter(({ each }) => foldOf(each) !== fold)),
)
const chances = new Map(
  judged.map(({ each, signs }) => [each, oddsOf(signs, judges[foldOf(each)] ?? [])]),
)
const all = judgeOf(judged)
console.log(
  'answer: best, coverage, otherSaid, unsaid, offset',
  all.map((weight) => weight.toFixed(3)).join(' '),
)
// The cautious one of the sets: none may be told too often that nothing answers.
const cautious = Math.min(
  ...[...grouped(usable, ({ set }) => set).values()].map((own) =>
    quantile(
      own.map((each) => oddsOf(signsOf(each), all)),
      0.04,
    ),
  ),
)
console.log('abstainBelow', figure(1 / (1 + Math.exp(-cautious))))
for (const set of ['locomo', 'beam', 'agent-day']) {
  const of = (some: readonly Case[]) =>
    some.filter((each) => each.set === set).map((each) => chances.get(each) ?? 0)
  const yes = of(usable)
  const kept = yes.filter((odds) => odds >= cautious).length / yes.length
  console.log(set, 'falsely abstained', figure(1 - kept))
  for (const [name, some] of [
    ['wrong person', of(wrong)],
    ['another store', of(foreign)],
  ] as const)
    if (some.length > 0)
      console.log(
        set,
        name,
        'AUC',
        figure(auc(yes, some)),
        'abstained',
        figure(some.filter((odds) => odds < cautious).length / some.length),
      )
}
BALANCED = false
const pairs = usable
  .flatMap((each) =>
    each.looked
      .slice(0, 30)
      .map((at, rank) => ({ sum: sumOf(each, at, unseen(each)), gold: rank < each.golds })),
  )
  .filter((_, at) => at % 5 === 0)
console.log(
  'calibration slope, offset',
  logistic(
    pairs.map(({ sum }) => [sum]),
    pairs.map(({ gold }) => gold),
  )
    .map((x) => x.toFixed(3))
    .join(' '),
)
