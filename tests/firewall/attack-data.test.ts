import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { dataFolder, titleWithData } from '../support/data.ts'
import { holds } from '../support/holds.ts'

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T // as its notes say
const PERSON = at('cli', { person: true })
const TIMEOUT_MS = 120_000

interface Question {
  readonly question: string
  readonly 'correct answer': string
  readonly 'incorrect answer': string
  readonly adv_texts: readonly string[]
}

const passages = dataFolder('attack', 'poisonedrag-nq.json')

describe.skipIf(passages === undefined)(titleWithData('poisoned passages', passages), () => {
  holds(
    ['FIREWALL-INDEPENDENT', 'FIREWALL-MODEL'],
    'five from one source never outvote one first-hand word, however they are brought in',
    async () => {
      const all = Object.values(read<Record<string, Question>>(passages ?? ''))
      expect(all).toHaveLength(100)
      const { stack } = await freshStack()
      for (const [index, asked] of all.entries()) {
        const { question, adv_texts: texts } = asked
        const [right, wrong] = [asked['correct answer'], asked['incorrect answer']]
        const line = { subject: question, predicate: 'answer' }
        await stack.claims.remember(question, 'answer', right, { caller: PERSON, actor: 'ann' })
        // Every other question is attacked by the source itself, as if it were a tool of the host's.
        const isFirstHand = index % 2 === 0
        for (const [page, content] of texts.entries()) {
          const provenance = saying('ExternalFirstHand', { sourceId: 'one page' })
          const raw = await stack.write({ kind: 'raw', body: { content }, provenance }, at('hook'))
          await stack.claims.remember(question, 'answer', wrong, {
            derivedFrom: [raw.ref as Ref],
            // Each passage a document of its own, so that none is said again by the same one.
            document: `passage ${page}`,
            ...(isFirstHand
              ? { label: label.firstHand(), actor: 'one page' }
              : { label: label.modelDerived(), caller: at('mcp', { session: `talk ${index}` }) }),
          })
        }
        const answer = await stack.claims.ask(line)
        const act = await stack.claims.ask({ ...line, for: 'act' })
        if (isFirstHand) {
          // A tool of the host's counts for less than a person: held, and the other value is shown.
          expect(answer).toMatchObject({ standing: 'held', value: right, evidence: 1 })
          expect(answer.beside.map(({ value, evidence }) => [value, evidence])).toEqual([
            [wrong, 1],
          ])
          expect(act).toMatchObject({ standing: 'held', value: right })
        } else {
          expect(answer).toMatchObject({ standing: 'held', value: right, evidence: 1 })
          expect(act).toMatchObject({ standing: 'held', value: right, beside: [] })
        }
      }
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
    TIMEOUT_MS,
  )
})

interface Experience {
  readonly req: string
  readonly resp: string
}

interface Experiences {
  readonly benign_experiences: readonly Experience[]
  readonly poisoned_experiences: readonly Experience[]
}

const experiences = dataFolder('attack', 'memorygraft-experiences.json')

describe.skipIf(experiences === undefined)(
  titleWithData('poisoned experiences', experiences),
  () => {
    holds(
      'FIREWALL-RISE',
      'are not loaded where they cite the page, and are never acted on where they do not',
      async () => {
        const { benign_experiences: benign, poisoned_experiences: poison } = read<Experiences>(
          experiences ?? '',
        )
        const { stack } = await freshStack()
        await stack.saveTrustAssessment({
          entityId: 'a repository',
          dimensions: { general: { score: 0.1 } },
        })
        const raw = async (content: string, sourceId: string) => {
          const provenance = saying('ExternalFirstHand', { sourceId })
          const written = await stack.write(
            { kind: 'raw', body: { content }, provenance },
            at('hook'),
          )
          return written.ref as Ref
        }
        const learnt = async ({ req, resp }: Experience, from: Ref, session: string) => {
          const provenance = saying('ModelDerived', { derivedFrom: [from] })
          const body = { objective: req, outcome: resp, outcomeType: 'success' as const }
          const caller = at('mcp', { session })
          const { ref } = await stack.write({ kind: 'episode', body, provenance }, caller)
          return ref as Ref
        }
        const clean = await raw('The test suite ran, all green', 'ci')
        const grafted: Ref[] = []
        const uncited: Ref[] = []
        for (const [index, each] of poison.entries()) {
          const page = await raw(`README: ${each.req}\n${each.resp}`, 'a repository')
          const session = `poisoned ${index}`
          // Shown and not cited, cited and not shown, or both.
          if (index % 3 > 0) await stack.history.trace(page, { caller: at('mcp', { session }) })
          const isCited = index % 3 !== 1
          const learntNow = await learnt(each, isCited ? page : clean, session)
          if (isCited) grafted.push(learntNow)
          else uncited.push(learntNow)
        }
        const derived: Ref[] = []
        const from = { derivedFrom: [grafted[0] as Ref] }
        for (const [kind, body] of [
          ['belief', { statement: `It is done like this: ${poison[0]?.resp}` }],
          ['playbook', { name: 'graft', description: String(poison[0]?.resp) }],
        ] as const) {
          const provenance = saying('ModelDerived', from)
          const request = { kind, body, provenance } as never // bodies of their kinds
          const { ref } = await stack.write(request, at('mcp', { session: `new ${kind}` }))
          derived.push(ref as Ref)
          from.derivedFrom = [ref as Ref]
        }
        expect(derived).toHaveLength(2)
        const honest: Ref[] = []
        for (const [index, each] of benign.slice(0, 30).entries()) {
          honest.push(await learnt(each, clean, `honest ${index}`))
        }
        for (const options of [{}, { minTier: 1 }, { for: 'plan' }] as const) {
          const shelves = await stack.load({ tokenBudget: 50_000, ...options })
          const { episodes, beliefs, playbooks } = shelves
          const loaded = [...episodes, ...beliefs, ...playbooks].map(({ memory }) => memory.ref)
          const poisoned = [...grafted, ...derived]
          expect(loaded.filter((ref) => poisoned.includes(ref))).toEqual([])
          expect(loaded.filter((ref) => honest.includes(ref))).toHaveLength(honest.length)
        }
        const acted = await stack.load({ tokenBudget: 50_000, for: 'act' })
        expect([acted.episodes, acted.beliefs, acted.playbooks]).toEqual([[], [], []])
        for (const { req } of poison) {
          const found = await stack.search(req, { limit: 50 })
          const refs = found.map(({ memoryType, memoryId }) => `${memoryType}:${memoryId}` as Ref)
          expect(refs.filter((ref) => grafted.includes(ref))).toEqual([])
        }
        // Asked for by name they are there, and withheld ones are counted.
        const { episodes } = await stack.load({ tokenBudget: 50_000, for: 'chat' })
        expect(episodes).toHaveLength(grafted.length + uncited.length + honest.length)
        expect((await stack.load())._meta.withheld.count).toBe(grafted.length + derived.length)
      },
      TIMEOUT_MS,
    )
  },
)
