import { writeFileSync } from 'node:fs'
import { nodeSha256 } from '../../src/compose/node-world.ts'
import { termOf } from '../../src/domain/words/terms.ts'
import { writeKindTable } from '../../src/recall/embed/kind-table.ts'
import { EVERYDAY_KINDS, NAMED_KINDS } from './everyday-kinds.ts'
import { readGlove } from './sources.ts'
import { type Nouns, readNouns, type Sense } from './wordnet.ts'

/** Makes `assets/kinds.bin`: for each noun the words that name a kind of it. */

const STRENGTH_MIN = 0.12 // less and the words are mostly used in other senses
const MEANT_MIN = 0.05 // of the uses of all words with its stem
const MEMBERS_MAX = 400 // of one kind, the most used
const MEMBERS_WIDE = 4_000 // a kind of more words, as thing and person, tells nothing
const STRENGTH_STEPS = 255

const [folder, output = 'assets/kinds.bin'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node scripts/embedder/kinds.ts <folder> [output]')
  process.exit(2)
}

const TERM = /^[a-z]{2,}$/

const words = readGlove(folder)
const ownUses = new Map(words.map(({ word, probability }) => [word, probability]))
const termUses = new Map<string, number>()
for (const { word, probability } of words) {
  const term = termOf(word)
  termUses.set(term, probability + (termUses.get(term) ?? 0))
}
const nouns = readNouns(folder)
bridge(nouns)

/** "Afters" are food, and "after" has their stem: a term must stand for the noun often enough. */
function isMeant(lemma: string): boolean {
  const own = ownUses.get(lemma) ?? 0
  return TERM.test(lemma) && own > MEANT_MIN * (termUses.get(termOf(lemma)) ?? 0)
}

/** Kind → its members, each as likely as both words are meant in the senses that fit. */
const kinds = new Map<string, Map<string, number>>()
const namesOf = namesBySynset(nouns)
for (const [lemma, senses] of nouns.senses) {
  if (!isMeant(lemma)) continue
  for (const [kind, strength] of kindsOf(senses)) add(kind, termOf(lemma), strength)
}
for (const [kind, members] of Object.entries(NAMED_KINDS))
  for (const member of members.split(' ')) add(termOf(kind), termOf(member), 1)

function add(kind: string, member: string, strength: number): void {
  if (kind === member || strength < STRENGTH_MIN) return
  const members = kinds.get(kind) ?? new Map<string, number>()
  kinds.set(kind, members)
  members.set(member, Math.min(1, Math.max(strength, members.get(member) ?? 0)))
}

/** Each kind with the share of the word's uses, in all senses together, that are of the kind. */
function kindsOf(senses: readonly Sense[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const { synset, share } of senses) {
    const best = new Map<string, number>()
    for (const above of ancestorsOf(synset, nouns))
      for (const { term, share: meant } of namesOf.get(above) ?? [])
        best.set(term, Math.max(meant * share, best.get(term) ?? 0))
    for (const [term, strength] of best) found.set(term, strength + (found.get(term) ?? 0))
  }
  return found
}

function bridge({ senses, above }: Nouns): void {
  const synsetOf = (word: string): string | undefined => {
    const [lemma = '', number = '1'] = word.split('#')
    return senses.get(lemma)?.[Number(number) - 1]?.synset
  }
  for (const [kind, members] of Object.entries(EVERYDAY_KINDS)) {
    // A synset of its own, so that every word of the list is a kind of the word in any sense.
    const own = `everyday ${kind}`
    senses.set(kind, [{ synset: own, share: 1, nounShare: 1 }, ...(senses.get(kind) ?? [])])
    for (const member of members.split(' ')) {
      const synset = synsetOf(member) ?? `everyday ${member}`
      if (!senses.has(member.split('#')[0] ?? ''))
        senses.set(member, [{ synset, share: 1, nounShare: 1 }])
      if (EVERYDAY_KINDS[member] !== undefined && member !== kind)
        above.set(`everyday ${member}`, [...(above.get(`everyday ${member}`) ?? []), own])
      above.set(synset, [...(above.get(synset) ?? []), own])
    }
  }
}

function namesBySynset({
  senses,
}: Nouns): ReadonlyMap<string, readonly { term: string; share: number }[]> {
  const names = new Map<string, { term: string; share: number }[]>()
  for (const [lemma, found] of senses) {
    const term = termOf(lemma)
    if (!isMeant(lemma)) continue
    for (const { synset, nounShare: share } of found as readonly Sense[])
      names.set(synset, [...(names.get(synset) ?? []), { term, share }])
  }
  return names
}

function ancestorsOf(synset: string, { above }: Nouns): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [...(above.get(synset) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(above.get(next) ?? []))
  }
  return found
}

const table = [...kinds]
  .filter(([, members]) => members.size <= MEMBERS_WIDE)
  .map(([kind, members]) => ({
    kind,
    size: members.size,
    members: [...members]
      .map(([term, strength]) => ({ term, strength: Math.round(strength * STRENGTH_STEPS) }))
      .sort(
        (a, b) =>
          usedOf(b.term) * b.strength - usedOf(a.term) * a.strength || (a.term < b.term ? -1 : 1),
      )
      .slice(0, MEMBERS_MAX),
  }))
  .sort((a, b) => (a.kind < b.kind ? -1 : 1))

function usedOf(term: string): number {
  return termUses.get(term) ?? 0
}

const bytes = writeKindTable(table)
writeFileSync(output, bytes)
const links = table.reduce((sum, { members }) => sum + members.length, 0)
console.log(
  `${output}: ${table.length} kinds, ${links} members, ${bytes.length} bytes, SHA-256 ${nodeSha256(bytes)}`,
)
