// What may befall memories that exist: a chapter with every change in it, through the public stack.

import { type Caller, label, openStack, type Stack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { Author, idOf, type Payload, type Ref, TOOL, USER } from './author.ts'
import type { History } from './history.ts'
import { countingWorld, type World } from './world.ts'

const DAYS = 86_400_000

const AS_MODEL = { label: label.modelDerived(), actor: 'a model' }
const AS_USER = { label: label.userAsserted(), actor: 'the user' }

const MODEL_ALONE = {
  ...TOOL,
  label: label.modelDerived(),
  sourceType: 'inference',
  llmModel: 'model-1',
} as const

const EXPLORER: Caller = {
  door: 'explorer',
  operation: 'test',
  person: true,
  grant: null,
  session: null,
  turn: null,
}

/** A ledger of hardly anything else. */
export async function historyOfChanges(world: World = countingWorld()): Promise<History> {
  const store = new MemoryStore()
  const stack = await openStack('demo', { store, ...world })
  await changes(stack, world)
  await moreChanges(stack, world)
  await quotes(stack)
  return { store, stack }
}

/** Every change there is, briefly. */
export async function changes(stack: Stack, world: World): Promise<void> {
  const author = new Author(stack, 'changes')
  await life(stack, author, world)
  await support(stack, author, world)
  await wishes(stack, author)
  await answers(stack, author)
  await components(stack, author)
  await contests(stack, author)
  await erasures(stack, author)
  await doubts(stack, author)
  await released(stack)
  await echoes(stack)
}

/** The same under other numbers, with what is rare. */
export async function moreChanges(stack: Stack, world: World): Promise<void> {
  const author = new Author(stack, 'changes under other numbers')
  const { policy } = await stack.control.getPolicy()
  const numbers = {
    ...policy.numbers,
    strengthLostPerPeriod: 0.3,
    strengthRecovered: 0.35,
    accessDamping: 3,
    verifyGain: 0.05,
    reinforceGain: 0.2,
    strengthAtBirth: 0.9,
  }
  await stack.control.setPolicy({ ...policy, numbers })
  await life(stack, author, world)
  await support(stack, author, world)
  await fading(stack, author, world)
  await wishes(stack, author)
  await stack.control.setPolicy(policy)
}

async function life(stack: Stack, author: Author, world: World): Promise<void> {
  const raw = await author.raw()
  const note = await author.note([raw])
  const [child] = [await author.belief([note]), await author.belief([note])]
  await stack.recordAccess('note', idOf(note))
  world.clock.advance(45 * DAYS)
  await stack.recordAccess('note', idOf(note), AS_MODEL)
  await stack.protectMemory('note', idOf(note), true, { reason: 'it matters' })
  world.clock.advance(45 * DAYS)
  await stack.protectMemory('note', idOf(note), false)
  await stack.changes.weaken(note, 0.1)
  await stack.changes.weaken(note, 0.7, { reason: 'doubtful' })
  await stack.forgetMemory('note', idOf(note), 'no longer so')
  await stack.recoverMemory('note', idOf(note), { reason: 'so after all' })
  await stack.changes.weaken(note, 1)
  await stack.recoverMemory('note', idOf(note))
  await stack.forgetMemory('belief', idOf(child), 'nothing rests on it')
  await stack.updateMemoryMeta('note', idOf(note), { tags: ['é', '\u0000'] })
  await stack.updateMemoryMeta('note', idOf(note), { confidence: 0.9, ...AS_USER })
  await stack.updateMemoryMeta('note', idOf(note), { confidence: 0.5, tags: [] })
  await stack.updateMemoryMeta('note', idOf(note), { confidence: 0.95 })
}

async function support(stack: Stack, author: Author, world: World): Promise<void> {
  const [source, seen, again] = [await author.raw(), await author.raw(), await author.raw()]
  const note = await author.note([source])
  const belief = await author.belief([note])
  const [, own] = await author.captured(USER)
  const [onSeen, later] = [await author.note([seen]), await author.note([again])]
  world.clock.advance(90 * DAYS)
  await stack.changes.weaken(note, 0.4)
  await stack.changes.verify(belief, { evidence: [onSeen, own, source], reason: 'seen again' })
  await stack.changes.verify(belief, { evidence: [onSeen, note], ...AS_MODEL })
  await stack.changes.reinforce(belief, { evidence: [later] })
  await stack.changes.reinforce(belief, { evidence: [later] })
  const [, others] = await author.captured(USER)
  await stack.changes.verify(belief, { evidence: [others], ...AS_USER })
  await stack.changes.reinforce(belief, {
    evidence: [others, seen, await author.raw()],
    ...AS_USER,
  })
}

/** What time alone does: dormant, below everything, and kept up by protection or meaning. */
async function fading(stack: Stack, author: Author, world: World): Promise<void> {
  const episode = await stack.write({
    kind: 'episode',
    body: { objective: 'fade', outcome: 'faded' },
    provenance: { ...TOOL, derivedFrom: [await author.raw()] },
  })
  if (episode.ref === null) throw new Error('the history expects an episode')
  const goals = [
    await author.goal([episode.ref], 'aspiration'),
    await author.goal([episode.ref], 'commitment'),
    await author.goal([episode.ref], 'task'),
  ]
  for (const goal of goals) await stack.protectMemory('goal', idOf(goal), false)
  world.clock.advance(75 * DAYS)
  for (const ref of [...goals, episode.ref]) {
    await stack.changes.change(ref, { type: 'note_dormant' }, 'maintenance')
  }
  for (const goal of goals) await stack.recordAccess('goal', idOf(goal))
  world.clock.advance(400 * DAYS)
  await stack.recoverMemory('episode', idOf(episode.ref))
  for (const goal of goals) await stack.forgetMemory('goal', idOf(goal), 'long past')
}

async function wishes(stack: Stack, author: Author): Promise<void> {
  const raw = await author.raw()
  const kept = await author.note([raw], USER)
  const belief = await author.belief([await author.note([raw])], USER)
  const accept = (ref: string, answer: 'accept' | 'dismiss') =>
    stack.review.resolve(ref, answer, { caller: EXPLORER, reason: 'so it is' })
  await stack.forgetMemory('note', idOf(kept), 'the model would rather not', AS_MODEL)
  await stack.changes.weaken(kept, 0.2, AS_MODEL)
  await accept(kept, 'dismiss')
  await stack.changes.weaken(kept, 0.2, AS_MODEL)
  await accept(kept, 'accept')
  await stack.updateMemoryMeta('note', idOf(kept), { tags: ['t'], ...AS_MODEL })
  await accept(kept, 'accept')
  await stack.updateMemoryMeta('note', idOf(kept), { confidence: 0.1, ...AS_MODEL })
  await accept(kept, 'dismiss')
  await stack.protectMemory('note', idOf(kept), true, AS_USER)
  await stack.protectMemory('note', idOf(kept), false, AS_MODEL)
  await accept(kept, 'accept')
  await stack.changes.supersede(belief, 'A model knows better than that', AS_MODEL).catch(() => {})
  await accept(belief, 'dismiss')
  await stack.changes.change(belief, { type: 'deactivate' }, 'test', AS_MODEL)
  await accept(belief, 'accept')
}

async function answers(stack: Stack, author: Author): Promise<void> {
  const raw = await author.raw()
  const first = await author.suggestion([raw])
  const second = await author.suggestion([raw])
  await stack.acceptSuggestion(first)
  await stack.dismissSuggestion(second, 'not needed')
  const note = await author.note([raw])
  const old = await author.belief([note])
  await stack.changes.supersede(old, 'Something better is believed now', {
    because: 'it was found',
    observed: true,
  })
  const third = await author.belief([note])
  const known = await author.belief([note], USER)
  const { text } = (await stack.getMemory('belief', idOf(known))) ?? {}
  await stack.changes.supersede(third, String(text), AS_USER)
}

/** What is said of claims: succession, ends, contests and their verdicts. */
async function contests(stack: Stack, author: Author): Promise<void> {
  const by = (predicate: string, provenance = USER) => ({ predicate, provenance })
  await author.claim('Berlin', by('city'))
  const city = await author.claim('Paris', by('city'))
  const other = await author.claim('Rome', by('city', { ...USER, sourceId: 'a second person' }))
  const third = await author.claim('Oslo', by('city', { ...USER, sourceId: 'a second tool' }))
  const evidence = [await author.raw()]
  const accept = (ref: string, answer: 'accept' | 'dismiss') =>
    stack.review.resolve(ref, answer, { caller: EXPLORER })
  await stack.claims.adjudicate(city, { verdict: 'affirm', ...AS_MODEL })
  await accept(city, 'dismiss')
  await stack.claims.adjudicate(third, { verdict: 'unknown', ...AS_USER })
  await stack.claims.adjudicate(city, {
    verdict: 'affirm',
    evidence,
    reason: 'it was looked up',
    ...AS_USER,
  })
  await stack.claims.reopen(other, AS_USER)
  await stack.claims.end(other, { at: '2026', ...AS_MODEL })
  await accept(other, 'accept')
  await stack.claims.adjudicate(other, { verdict: 'deny', ...AS_USER })
  await stack.claims.retract(city, { ...AS_USER, reason: 'it never was' })
  await stack.claims.reopen(city, AS_MODEL)
  await accept(city, 'accept')
  const pet = await author.claim('cat', by('pet'))
  await author.claim('dog', by('pet', { ...USER, sourceId: 'a second person' }))
  await stack.claims.retract(pet, AS_USER)
  await stack.maintenance()
  const { subject } = Object((await stack.getMemory('claim', idOf(pet)))?.body)
  await stack.claims.recast({ subject, predicate: 'pet' }, { cardinality: 'SetValued', ...AS_USER })
}

/** What is believed no longer: an actor, a session, a memory; and some of it again. */
async function doubts(stack: Stack, author: Author): Promise<void> {
  const doubted = { ...TOOL, sourceId: 'a doubted tool' }
  const [raw, other] = [await author.raw(doubted), await author.raw()]
  const note = await author.note([raw], doubted)
  const belief = await author.belief([note])
  const both = await author.belief([note, await author.note([other])])
  await author.claim('blue', { predicate: 'colour', provenance: doubted })
  await author.claim('red', { predicate: 'colour', provenance: USER })
  await stack.sources.distrust(both, { basis: 'mistaken', reason: 'it sounds wrong', ...AS_MODEL })
  await stack.review.resolve(both, 'dismiss', { caller: EXPLORER })
  await stack.sources.distrust({ actor: 'a doubted tool' }, { basis: 'compromised', ...AS_USER })
  await author.captured(doubted)
  await stack.sources.distrust(belief, { reason: 'it is wrong by itself', ...AS_USER })
  await stack.sources.distrust({ session: 'a bad day' }, AS_USER)
  await stack.sources.trust({ actor: 'a doubted tool' }, AS_USER)
  await stack.sources.trust(belief, AS_USER)
  await stack.sources.distrust(note, { basis: 'poisoned', ...AS_USER })
}

/** What came in a burst is set aside, and let in by a person. */
async function released(stack: Stack): Promise<void> {
  const body = { statement: 'Said eleven times in one breath' }
  const provenance = { ...MODEL_ALONE, derivedFrom: [] }
  const captures = [{ kind: 'raw', body: 'own words' }] as const
  let first = ''
  for (let times = 0; times < 11; times += 1) {
    const { ref, id, disposition } = await stack.write({
      kind: 'note',
      body: { content: body.statement },
      provenance,
      captures,
    })
    if (disposition === 'Quarantined' && ref !== null) {
      await stack.recoverMemory('note', first)
      await stack.review.resolve(ref, 'accept', { caller: EXPLORER })
    }
    if (times > 0) continue
    first = id ?? ''
    await stack.forgetMemory('note', first, 'said in a loop')
  }
}

/** What a model says again of what it was shown: linked, and unlinked by a person. */
async function echoes(stack: Stack): Promise<void> {
  const shown: Caller = { ...EXPLORER, door: 'mcp', person: false, session: 'echoes' }
  const captures = [{ kind: 'raw', body: 'own words' }] as const
  const say = (content: string, provenance: object, caller?: Caller) =>
    stack.write(
      {
        kind: 'note',
        body: { content },
        provenance: { ...TOOL, derivedFrom: [], ...provenance },
        captures,
      },
      caller,
    )
  const said = await say('The night train to Vienna leaves at nine from platform four', USER)
  await stack.history.trace(String(said.ref), { caller: shown })
  const first = await say(
    'The night train leaves to Vienna, at nine from our platform four!',
    MODEL_ALONE,
    shown,
  )
  await stack.changes.unlink(String(first.ref), { reason: 'another platform', ...AS_USER })
  const second = await say(
    'The Vienna night train leaves at nine from its platform four',
    MODEL_ALONE,
    shown,
  )
  await stack.changes.unlink(String(second.ref), AS_MODEL)
  await stack.review.resolve(String(second.ref), 'accept', { caller: EXPLORER })
  await say(
    'Noted: the night train to Vienna leaves at nine from platform four',
    MODEL_ALONE,
    shown,
  )
}

/** What a model claims and believes in words that somebody else was met with. */
async function quotes(stack: Stack): Promise<void> {
  const model = { ...MODEL_ALONE, sourceId: 'a model that reads' }
  const line = { subject: 'The ferry', predicate: 'harbour' }
  const said = 'The sea was rough – very. The ferry lands at Dover in the evening. It is late.'
  const quote = 'The ferry lands at Dover in the evening.'
  const met = await stack.write({ kind: 'raw', body: { content: said }, provenance: TOOL })
  const other = await stack.write({
    kind: 'note',
    body: { content: 'The ferry lands at Calais in the morning.' },
    provenance: { ...TOOL, derivedFrom: [met.ref as Ref] },
  })
  const [raw, note] = [met.ref as Ref, other.ref as Ref]
  const citing = (derivedFrom: Ref[], words = quote) => ({ ...model, derivedFrom, quote: words })
  const claim = (body: { predicate?: string; value: string }, provenance: Payload) =>
    stack.write({ kind: 'claim', body: { ...line, ...body }, provenance, captures: OWN })
  await claim({ value: 'Calais' }, USER)
  await claim({ value: 'Dover' }, citing([raw, note]))
  await claim({ predicate: 'port', value: 'Dover' }, citing([note, raw]))
  const morning = 'The ferry lands at Calais in the morning'
  await stack.write({
    kind: 'belief',
    body: { statement: 'At Calais the ferry lands' },
    provenance: citing([note], morning),
  })
}

const OWN = [{ kind: 'raw', body: 'own words' }] as const

/** What is erased: alone, with what was made from it, by its actor, and let back in. */
async function erasures(stack: Stack, author: Author): Promise<void> {
  const raw = await author.raw()
  const note = await author.note([raw])
  const belief = await author.belief([note])
  const other = await author.raw()
  await stack.changes.verify(belief, { evidence: [other], ...AS_USER })
  await stack.erasure.erase(belief, { basis: 'secret', ...AS_MODEL })
  await stack.forgetMemory('note', idOf(note), 'soon it is gone', AS_USER)
  const claim = await author.claim('Bern', { predicate: 'birthplace', provenance: USER })
  const later = await author.claim('Basel', { predicate: 'birthplace', provenance: USER })
  await stack.erasure.erase(note, { basis: 'mistake', ...AS_USER })
  await stack.erasure.erase(other, { derived: 'keep', ...AS_USER })
  await stack.erasure.erase(later, AS_USER)
  const third = await author.claim('Chur', { predicate: 'birthplace', provenance: USER })
  await stack.erasure.erase(claim, { derived: 'erase', ...AS_USER })
  await stack.claims.retract(third, AS_USER)
  await stack.erasure.erase(
    { actor: 'a second tool' },
    { basis: 'retention', derived: 'erase', ...AS_USER },
  )
  await stack.erasure.readmit(note, AS_USER)
  await settled(stack, author)
}

/** A contest of which nothing was erased. */
async function settled(stack: Stack, author: Author): Promise<void> {
  const dish = await author.claim('rice', { predicate: 'dish', provenance: USER })
  await author.claim('bread', { predicate: 'dish', provenance: TOOL }) // of a lower tier, so beside it
  const evidence = [await author.raw()]
  await stack.claims.adjudicate(dish, {
    verdict: 'affirm',
    evidence,
    reason: 'it was on the table',
    ...AS_USER,
  })
}

/** What a component notes of what is saved, and asks a person to look at. */
async function components(stack: Stack, author: Author): Promise<void> {
  const flags: ((ref: Ref) => Promise<void>)[] = []
  const component = (name: string) => ({
    name,
    version: '1',
    required: false,
    needsInference: false,
    attach: (host: { flag: (ref: Ref, reason: string) => Promise<void> }) => {
      flags.push((ref) => host.flag(ref, 'look at this'))
    },
    onSave: () => ({ seen: true }),
  })
  for (const name of ['zeta', 'alpha']) await stack.addComponent(component(name))
  const raw = await author.raw()
  for (const flag of flags) await flag(raw)
  for (const name of ['zeta', 'alpha']) await stack.removeComponent(name)
}
