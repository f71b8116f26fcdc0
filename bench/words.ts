const WORDS =
  'deploy table lock migrate release branch review merge test cache index shard queue retry token client server memory claim source person model window budget'.split(
    ' ',
  )

/** A sentence that differs for every number, of the length people really write. */
export function sentence(number: number): string {
  const picked: string[] = []
  let seed = number * 2_654_435_761
  for (let count = 0; count < 12; count += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    picked.push(WORDS[seed % WORDS.length] ?? 'word')
  }
  return `${picked.join(' ')} ${number}`
}
