export interface Answered {
  readonly gold: readonly string[]
  /** What was found, best first. */
  readonly order: readonly string[]
}

export interface Measures {
  readonly questions: number
  readonly r5: number
  readonly r10: number
  readonly r20: number
  readonly r50: number
  readonly ndcg10: number
  readonly mrr: number
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Recall is the share of a question's evidence among the first k, averaged; NDCG is binary. */
export function measuresOf(answers: readonly Answered[]): Measures {
  const recallAt = (k: number): number =>
    mean(
      answers.map(({ gold, order }) => {
        const first = new Set(order.slice(0, k))
        return gold.filter((id) => first.has(id)).length / gold.length
      }),
    )
  return {
    questions: answers.length,
    r5: recallAt(5),
    r10: recallAt(10),
    r20: recallAt(20),
    r50: recallAt(50),
    ndcg10: mean(answers.map(ndcg10)),
    mrr: mean(
      answers.map(
        ({ gold, order }) => 1 / (1 + order.findIndex((id) => gold.includes(id)) || Infinity),
      ),
    ),
  }
}

const gain = (rank: number): number => 1 / Math.log2(rank + 2)

function ndcg10({ gold, order }: Answered): number {
  const got = order
    .slice(0, 10)
    .reduce((sum, id, rank) => (gold.includes(id) ? sum + gain(rank) : sum), 0)
  const best = gold.slice(0, 10).reduce((sum, _, rank) => sum + gain(rank), 0)
  return got / best
}

/** The chance that one of `high` lies above one of `low`; a tie is half. */
export function auc(high: readonly number[], low: readonly number[]): number {
  let won = 0
  for (const a of high) for (const b of low) won += a > b ? 1 : a === b ? 0.5 : 0
  return won / Math.max(1, high.length * low.length)
}

/** The value below which so large a share lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
