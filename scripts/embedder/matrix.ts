/** Rows of equal length, one after another. */
export interface Matrix {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

export const matrix = (rows: number, columns: number): Matrix => ({
  rows,
  columns,
  values: new Float64Array(rows * columns),
})

export const rowAt = ({ values, columns }: Matrix, row: number): Float64Array =>
  values.subarray(row * columns, (row + 1) * columns)

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** Adds `times` × `what` to `to`. */
export function addScaled(to: Float64Array, times: number, what: Float64Array): void {
  for (let at = 0; at < to.length; at += 1) to[at] = (to[at] ?? 0) + times * (what[at] ?? 0)
}

/** The weighted mean of the rows; weights add up to whatever they add up to. */
export function meanRow(of: Matrix, weights: Float64Array): Float64Array {
  const mean = new Float64Array(of.columns)
  let total = 0
  for (let row = 0; row < of.rows; row += 1) {
    addScaled(mean, weights[row] ?? 0, rowAt(of, row))
    total += weights[row] ?? 0
  }
  return mean.map((value) => value / total)
}

export function meanSquare(of: Matrix, weights: Float64Array): number {
  let sum = 0
  for (let row = 0; row < of.rows; row += 1)
    sum += (weights[row] ?? 0) * dot(rowAt(of, row), rowAt(of, row))
  return sum / weights.reduce((total, weight) => total + weight, 0)
}

/** Σ weight × row × rowᵀ. */
export function secondMoments(of: Matrix, weights: Float64Array): Matrix {
  const moments = matrix(of.columns, of.columns)
  for (let row = 0; row < of.rows; row += 1) {
    const values = rowAt(of, row)
    for (let at = 0; at < of.columns; at += 1)
      addScaled(rowAt(moments, at), (weights[row] ?? 0) * (values[at] ?? 0), values)
  }
  return moments
}

const ROUNDS_MAX = 300
const SETTLED = 1e-10 // share by which the sum of the leading values still grows

/** The leading directions of a symmetric matrix, strongest first, by orthogonal iteration. */
export function leading(
  symmetric: Matrix,
  count: number,
): { readonly directions: Matrix; readonly strengths: Float64Array } {
  let directions = orthonormal(startingRows(count, symmetric.columns))
  let strengths = new Float64Array(count)
  for (let round = 0, before = 0; round < ROUNDS_MAX; round += 1) {
    const images = multiplied(directions, symmetric)
    strengths = Float64Array.from({ length: count }, (_, row) =>
      dot(rowAt(images, row), rowAt(directions, row)),
    )
    directions = orthonormal(images)
    const sum = strengths.reduce((total, value) => total + value, 0)
    if (Math.abs(sum - before) <= SETTLED * sum) break
    before = sum
  }
  return { directions, strengths }
}

/** Each row of `rows` times the symmetric matrix. */
function multiplied(rows: Matrix, symmetric: Matrix): Matrix {
  const images = matrix(rows.rows, symmetric.columns)
  for (let row = 0; row < rows.rows; row += 1)
    for (let at = 0; at < symmetric.columns; at += 1)
      images.values[row * symmetric.columns + at] = dot(rowAt(symmetric, at), rowAt(rows, row))
  return images
}

/** Gram and Schmidt, twice, since once leaves what rounding let through. */
function orthonormal(rows: Matrix): Matrix {
  for (let row = 0; row < rows.rows; row += 1) {
    const values = rowAt(rows, row)
    for (const _ of [1, 2])
      for (let earlier = 0; earlier < row; earlier += 1)
        addScaled(values, -dot(values, rowAt(rows, earlier)), rowAt(rows, earlier))
    const length = Math.sqrt(dot(values, values))
    for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / length
  }
  return rows
}

/** Anything that leans on every direction will do; the same each time. */
function startingRows(rows: number, columns: number): Matrix {
  const start = matrix(rows, columns)
  let state = 1
  for (let at = 0; at < start.values.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    start.values[at] = state / 0x80000000 - 1
  }
  return start
}

/** The solution of a symmetric positive system, by Gauss without exchanges. */
export function solved(system: Matrix, goal: Float64Array): Float64Array {
  const left = { ...system, values: system.values.slice() }
  const right = goal.slice()
  const size = right.length
  for (let at = 0; at < size; at += 1) {
    const pivot = rowAt(left, at)
    for (let below = at + 1; below < size; below += 1) {
      const row = rowAt(left, below)
      const times = (row[at] ?? 0) / (pivot[at] ?? 1)
      addScaled(row, -times, pivot)
      right[below] = (right[below] ?? 0) - times * (right[at] ?? 0)
    }
  }
  for (let at = size - 1; at >= 0; at -= 1) {
    const row = rowAt(left, at)
    let sum = right[at] ?? 0
    for (let after = at + 1; after < size; after += 1)
      sum -= (row[after] ?? 0) * (right[after] ?? 0)
    right[at] = sum / (row[at] ?? 1)
  }
  return right
}
