import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { MunimentError } from '../../src/domain/errors.ts'
import type { Batch, Context } from '../../src/domain/waist.ts'
import type { Command } from '../../src/domain/write.ts'
import { decideGroup, type GroupDecision } from '../../src/gate/gate.ts'
import { needsOf, type Proposal } from '../../src/gate/needs.ts'
import { stamp } from '../../src/gate/stamp.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { holds } from '../support/holds.ts'
import { commandsOf, settingFor, TOOLS } from './commands.ts'
import { histories } from './histories.ts'
import { openForTest, STACK_ID, take } from './production.ts'
import { runs } from './runs.ts'
import { snapshot } from './snapshot.ts'
import type { History } from './steps.ts'

/** The histories hold no words against what was recognised: those have a test of their own. */
const proposalOf = (command: Command): Proposal => {
  return command.type === 'write'
    ? { type: 'write', candidates: command.drafts.map((arrived) => stamp(arrived, TOOLS)) }
    : command
}

const isRevision = (command: Command): boolean =>
  command.type === 'write' && command.drafts.some(({ draft }) => draft.revises !== null)

/** Groups of a few commands; a revision stands alone, as the sequencer has it. */
function groupsOf(commands: readonly Command[], size: number): readonly (readonly Command[])[] {
  const groups: Command[][] = []
  for (const command of commands) {
    const last = groups.at(-1)
    const isFull = !last || last.length >= size || last.some(isRevision) || isRevision(command)
    if (isFull) groups.push([command])
    else last.push(command)
  }
  return groups
}

/** Nothing that a decision is given may change under it. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

const shownOutcomes = ({ outcomes }: GroupDecision) =>
  outcomes.map((outcome) =>
    outcome.type === 'error' ? { code: outcome.error.code, text: outcome.error.message } : outcome,
  )

/** Decides every group of a history several times over, on frozen input, and commits it once. */
async function decideRepeatedly({ genesis, ...history }: History, size: number): Promise<void> {
  const store = new MemoryStore()
  const setting = deepFreeze(settingFor(genesis))
  for (const group of groupsOf(commandsOf({ genesis, ...history }), size)) {
    const proposals = group.map(proposalOf)
    const needs = deepFreeze(needsOf(proposals, { tombstones: true, sessions: true }))
    const context: Context = deepFreeze(await store.gather(STACK_ID, needs))
    const decisions = [proposals, proposals, group.map(proposalOf)].map((given) =>
      decideGroup(given, { needs, context }, setting),
    )
    const [first, ...others] = decisions
    for (const other of others) {
      expect(other.batch).toEqual(first?.batch)
      expect(shownOutcomes(other)).toEqual(first && shownOutcomes(first))
    }
    if (first?.batch) await commit(store, first.batch, context)
  }
}

async function commit(store: MemoryStore, batch: Batch, { tip }: Context): Promise<void> {
  const { committed } = await store.commit(STACK_ID, batch, tip.head)
  if (!committed) throw new MunimentError('invariant', 'nobody else writes here')
}

describe('the gate is pure', () => {
  holds(
    'GATE-PURE',
    'the same group in the same context is decided the same, byte for byte',
    async () => {
      const sizes = fc.constantFrom(1, 3, 50)
      await fc.assert(fc.asyncProperty(histories(), sizes, decideRepeatedly), runs(60))
    },
  )

  holds('GATE-PURE', 'a history that is lived twice leaves the same bytes twice', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ maxSteps: 20 }), async (history) => {
        const lives = [await live(history), await live(history)]
        expect(lives[1]).toEqual(lives[0])
      }),
      runs(60),
    )
  })
})

async function live({ genesis, steps }: History) {
  const played = await openForTest({ genesis })
  for (const step of steps) await take(played, step)
  return snapshot(played.store)
}
