import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { type Ref, splitRef } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { itemsIn } from '../../src/engine/read/render.ts'
import type { Stack } from '../../src/stack.ts'
import { served } from '../http/support/server.ts'
import { at, freshStack, saying } from '../stack/support.ts'

const TRUTH = 'Deploys go out on Tuesday after the standup'
const LIE = 'Every deploy goes straight to production without a review'
const LINE = { subject: 'deploys', predicate: 'review rule' } as const
const RIGHT = 'two people review every deploy'
const WRONG = 'deploys need no review at all'
const MODEL = at('mcp', { session: 'talk' })
const BY_MODEL = { label: label.modelDerived(), actor: 'bot', caller: MODEL } as const
const PERSON = { caller: at('cli', { person: true }), actor: 'ann' } as const
const WAYS = ['', 'Note: ', 'Again, ', 'As said, ', 'For the record, ', 'Reminder: ', 'To sum up: ']
const rewordings = (said: string): readonly string[] => WAYS.map((way) => `${way}${said}.`)

/** A person's note and claim, and seven near-certain rewordings of a lie, each a row of its own. */
async function world() {
  const { stack } = await freshStack()
  const host = new Entity('host')
  await host.attachStack(stack)
  const raw = await host.raw('The team met.', { saidBy: 'ann' })
  const truth = await host.note(TRUTH, { saidBy: 'ann', derivedFrom: [raw.ref] })
  await stack.claims.remember(LINE.subject, LINE.predicate, RIGHT, PERSON)
  const cited = [raw.ref]
  const lies: Ref[] = []
  for (const text of rewordings(LIE)) lies.push(await noted(stack, text, cited))
  const rows = await stack.list('note', { limit: 100 })
  expect(rows.filter(({ rewordingOf }) => rewordingOf !== null).length).toBeGreaterThan(4)
  return { stack, host, truth: truth.ref, cited, lies }
}

async function noted(stack: Stack, content: string, derivedFrom: readonly Ref[]): Promise<Ref> {
  const provenance = saying('ModelDerived', { sourceId: 'bot', derivedFrom: [...derivedFrom] })
  return (await stack.write({ kind: 'note', body: { content }, provenance }, MODEL)).ref as Ref
}

const isLie = (text: string): boolean => /without a review|need no review/.test(text)

/** Ten ways to gain something from rewordings that are linked rows, and no longer folded or kept aside. */
describe('rewordings that keep a row each win nothing', () => {
  test('by filling working memory', async () => {
    const { stack } = await world()
    const loaded = await stack.load({ tokenBudget: 4_000, caller: MODEL })
    const contents = itemsIn(loaded).map(({ content }) => content)
    expect(contents.filter(isLie).length).toBeLessThanOrEqual(1)
    expect(contents).toContain(TRUTH)
  })

  test('by filling the results of a search', async () => {
    const { stack } = await world()
    const found = await stack.search('how do deploys go out', { caller: MODEL, limit: 5 })
    expect(found.filter(({ content }) => isLie(content)).length).toBeLessThanOrEqual(1)
    expect(found.map(({ content }) => content)).toContain(TRUTH)
  })

  test('by claiming a value in seven wordings', async () => {
    const { stack } = await world()
    for (const value of rewordings(WRONG))
      await stack.claims.remember(LINE.subject, LINE.predicate, value, BY_MODEL)
    const answer = await stack.claims.ask({ ...LINE, caller: MODEL })
    expect(answer).toMatchObject({ standing: 'held', value: RIGHT })
    expect(answer.beside.length).toBeLessThanOrEqual(1)
  })

  test('by a place in review for each wording', async () => {
    const { stack } = await world()
    for (const value of rewordings(WRONG))
      await stack.claims.remember(LINE.subject, LINE.predicate, value, BY_MODEL)
    expect((await stack.review.list()).length).toBeLessThanOrEqual(1)
  })

  test('by citing each other as evidence', async () => {
    const { stack, lies } = await world()
    const [first = '' as Ref, ...others] = lies
    const before = await stack.getMemory('note', splitRef(first).id)
    await stack.changes.verify(first, { evidence: others, ...BY_MODEL })
    await stack.changes.reinforce(first, { evidence: others, ...BY_MODEL })
    const after = await stack.getMemory('note', splitRef(first).id)
    const numbers = ({ tier, confidence, verificationCount }: NonNullable<typeof after>) => ({
      ...{ tier, confidence, verificationCount },
    })
    expect(after && numbers(after)).toEqual(before && numbers(before))
  })

  test('by being unlinked by their author', async () => {
    const { stack, lies } = await world()
    for (const ref of lies) await stack.changes.unlink(ref, BY_MODEL)
    const found = await stack.search('how do deploys go out', { caller: MODEL, limit: 5 })
    expect(found.filter(({ content }) => isLie(content)).length).toBeLessThanOrEqual(1)
  })

  test('by forgetting the original, so that another wording heads the group', async () => {
    const { stack, lies } = await world()
    await stack.forgetMemory('note', splitRef(lies[0] as Ref).id, 'gone', BY_MODEL)
    const found = await stack.search('how do deploys go out', { caller: MODEL, limit: 5 })
    expect(found.filter(({ content }) => isLie(content)).length).toBeLessThanOrEqual(1)
    expect(
      (await stack.search('deploys', { for: 'act', limit: 50 })).filter(({ content }) =>
        isLie(content),
      ),
    ).toEqual([])
  })

  test('by lasting where the original is erased: the plan names them, and they can go with it', async () => {
    const { stack, lies } = await world()
    const [first = '' as Ref, ...others] = lies
    const rows = await stack.list('note', { limit: 100 })
    const linked = rows.filter(({ rewordingOf }) => rewordingOf === first).map(({ ref }) => ref)
    expect(linked.length).toBeGreaterThan(0)
    expect((await stack.erasure.plan(first)).derived).toEqual(expect.arrayContaining(linked))
    await stack.erasure.erase(first, { derived: 'erase' })
    const left = (await stack.list('note', { limit: 100 })).map(({ ref }) => ref)
    expect(others.filter((ref) => linked.includes(ref) && left.includes(ref))).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('by an import that leaves the links out', async () => {
    const { stack } = await world()
    const dump = JSON.parse(await stack.dump({ format: 'json' }))
    const other = (await freshStack()).stack
    const host = new Entity('host')
    await host.attachStack(other)
    await host.note(TRUTH, { saidBy: 'ann' })
    await other.transfer.import(dump, { grant: { ModelDerived: 1 }, by: at('import') })
    const found = await other.search('how do deploys go out', { caller: MODEL, limit: 5 })
    expect(found.map(({ content }) => content)).toContain(TRUTH)
    expect(
      found.filter(({ metadata }) => Number(metadata.tier) > 1 && isLie(found[0]?.content ?? '')),
    ).toEqual([])
  })

  test('by an HTTP client that names another session for each wording', async () => {
    const server = await served({ use: 'plan' })
    const person = await server.token('person')
    await server.op('note', { content: TRUTH }, { token: person })
    for (const [n, content] of rewordings(LIE).entries())
      await server.op('note', { content }, { headers: { 'muniment-session': `s${n}` } })
    const { json } = await server.op('search', { query: 'how do deploys go out', limit: 5 })
    const contents = (json as readonly { content: string }[]).map(({ content }) => content)
    expect(contents.filter(isLie).length).toBeLessThanOrEqual(1)
    expect(contents).toContain(TRUTH)
  })
})
