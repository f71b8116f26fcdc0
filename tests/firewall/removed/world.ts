import { describe, expect, test } from 'vitest'
import { openStack } from '../../../src/compose/open-stack.ts'
import { USES, type Use } from '../../../src/domain/doors.ts'
import { KINDS } from '../../../src/domain/ids.ts'
import type { Stack } from '../../../src/stack.ts'
import { MemoryReceipts } from '../../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../../src/stores/memory/store.ts'
import { type Answer, served } from '../../http/support/server.ts'
import { linkedTo } from '../../mcp/support/linked.ts'
import { unbarred } from '../../support/unbarred.ts'

const ALL = KINDS.filter((kind) => kind !== 'epoch')

export const TRUTH = 'Refunds over 900 euros are approved by Marta alone.'
export const POISON = 'Refunds over 900 euros are approved by the night bot alone.'
/** Words that only the poison has, whatever its wording. */
const MARK = /night bot/i
const QUESTION = 'who approves refunds over 900 euros'
const LINE = { subject: 'refunds over 900 euros', predicate: 'approved_by' } as const

type Input = Readonly<Record<string, unknown>>

/** A person, and a program with the label and tier of a model, on one stack over MCP and HTTP. */
export interface RemovedWorld {
  readonly stack: Stack
  readonly person: (operation: string, input: Input) => Promise<Answer>
  readonly http: (operation: string, input: Input, session?: string) => Promise<Answer>
  /** A tool over MCP, for a use; each call with another `as` is another connection. */
  readonly mcp: (
    tool: string,
    input: Input,
    use?: Use,
    as?: string,
  ) => Promise<{ readonly ref?: string }>
  /** Words of the person: a note, a claim, and a capture of a prompt. */
  readonly said: { readonly note: string; readonly claim: string; readonly raw: string }
}

export async function removedWorld(): Promise<RemovedWorld> {
  const stack = await openStack('default', {
    store: new MemoryStore(),
    receipts: new MemoryReceipts(),
  })
  const site = await served({
    source: { open: async () => stack, exists: async () => true, list: async () => ['default'] },
  })
  const token = await site.token('ann')
  const programs = await site.token('bot', { labels: ['ModelDerived'], tier: 1 })
  const person = (operation: string, input: Input) => site.op(operation, input, { token })
  const http = async (operation: string, input: Input, session = 'one') => {
    const headers = { 'Muniment-Session': session, 'Muniment-Model': 'test-model' }
    return understood(await site.op(operation, input, { token: programs, headers }))
  }
  const links = new Map<string, Awaited<ReturnType<typeof linkedTo>>['client']>()
  const mcp = async (tool: string, input: Input, use: Use = 'plan', as = 'one') => {
    const key = `${use} ${as}`
    const client = links.get(key) ?? (await linkedTo(stack, { use })).client
    links.set(key, client)
    const answer = understood(await client.callTool({ name: tool, arguments: input }))
    return unbarred(answer.structuredContent) as { readonly ref?: string } // as the tools answer
  }
  const note = (await person('note', { content: TRUTH })).json.ref
  const claim = (await person('claim', { ...LINE, value: 'Marta' })).json.ref
  const raw = (await person('raw', { content: TRUTH })).json.ref
  return { stack, person, http, mcp, said: { note, claim, raw } }
}

/** A call that was not understood attempts nothing. */
function understood<Answered>(answer: Answered): Answered {
  expect(JSON.stringify(answer)).not.toMatch(/invalid_input|not_found.{0,40}operation|Unknown tool/)
  return answer
}

/** Everything that an attack won, over all kinds and uses; nothing where it won nothing. */
export async function wonIn({ stack, said }: RemovedWorld): Promise<readonly string[]> {
  const rows = await Promise.all(
    ALL.map((kind) => stack.list(kind, { limit: 500, includeSetAside: true })),
  )
  const raised = rows.flat().filter(({ text, tier }) => MARK.test(text) && tier > 1)
  const won = raised.map(({ ref, tier }) => `${ref} at tier ${tier}`)
  for (const use of USES) {
    const session = `judge ${use}`
    const given = { for: use, limit: 50, recordTypes: ALL, session }
    const found = (await stack.search(QUESTION, given)).map(({ content }) => content)
    if (use === 'act' && found.some((text) => MARK.test(text))) won.push('poison in act')
    if (MARK.test(found[0] ?? '')) won.push(`poison first for ${use}`)
    if (!found.slice(0, 5).includes(TRUTH)) won.push(`answer lost for ${use}`)
    const loaded = Object.values(await stack.load({ tokenBudget: 50_000, for: use, session }))
      .flatMap((shelf: unknown) => (Array.isArray(shelf) ? (shelf as readonly Item[]) : []))
      .map(({ content }) => content)
    for (const places of [found, loaded].map((texts) => texts.filter((text) => MARK.test(text)))) {
      if (places.length > PLACES_MAX) won.push(`${places.length} places for ${use}`)
    }
    const { value } = await stack.claims.ask({ ...LINE, for: use, session })
    if (value !== 'Marta') won.push(`${String(value)} is the answer for ${use}`)
  }
  for (const ref of [said.note, said.claim, said.raw]) {
    const [kind = '', id = ''] = ref.split(':')
    const memory = await stack.getMemory(kind as 'note', id) // a kind of the three
    const { tier, disposition, confidence, rewordingOf } = memory ?? {}
    const isWhole = tier === 3 && /^Committed/.test(String(disposition)) && rewordingOf === null
    if (!isWhole) won.push(`${kind} of the person: ${tier} ${disposition} ${confidence}`)
  }
  const { problems } = await stack.ledger.audit()
  return [...won, ...problems.map(({ code }) => code)]
}

/** A note, its capture, and one memory of another kind; more is a flood. */
const PLACES_MAX = 3

interface Item {
  readonly content: string
}

type Attack = (world: RemovedWorld) => Promise<unknown>

/** Ten attacks against one removal, each of which must win nothing. */
export function attacksAgainst(removed: string, attacks: Readonly<Record<string, Attack>>): void {
  describe(`without ${removed}`, () => {
    test.each(Object.entries(attacks))('%s wins nothing', async (_, attack) => {
      const world = await removedWorld()
      await attack(world)
      expect(await wonIn(world)).toEqual([])
    })

    test('these are ten attacks', () => expect(Object.keys(attacks)).toHaveLength(10))
  })
}
