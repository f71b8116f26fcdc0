import { Entity } from '../../../agent/entity.ts'
import type { Caller } from '../../../domain/doors.ts'
import { label } from '../../../domain/labels.ts'
import type { WriteResult } from '../../../domain/write.ts'
import type { Stack } from '../../../stack.ts'

const caller = (door: Caller['door'], operation: string): Caller => ({
  door,
  operation,
  person: operation === 'user_prompt',
  grant: null,
  session: 'demo',
  turn: 'first',
})

/** The speeches of the story, and the changed letter. */
export const WORDS = {
  user: 'I live in Lisbon now. Trains, not flights, please.',
  tool: 'Lisboa to Porto: 14 trains a day, 2 h 58 min',
  note: 'Asked for trains instead of flights.',
  belief: 'The user prefers trains to flights.',
  unsourced: 'The user is afraid of flying.',
  spoiled: { from: 'Trains, not flights', to: 'Trains, now flights' },
} as const

/** The speakers of the story, each through the door used in real life. */
export async function castFor(stack: Stack) {
  const agent = new Entity('demo-agent', { modelId: 'demo-model' })
  await agent.attachStack(stack)
  const asModel = { label: label.modelDerived(), actor: 'demo-agent' }
  return {
    userSays: () =>
      agent.write(
        'raw',
        { content: WORDS.user },
        {
          label: label.userAsserted(),
          actor: 'demo:user',
          caller: caller('hook', 'user_prompt'),
        },
      ),
    toolReturns: () =>
      agent.write(
        'raw',
        { content: WORDS.tool },
        {
          label: label.firstHand(),
          actor: 'rail-timetable',
          trustTier: 1, // nobody vouches for the tool
          caller: caller('hook', 'tool_result'),
        },
      ),
    modelNotes: (from: WriteResult) =>
      agent.write(
        'note',
        { content: WORDS.note },
        { ...asModel, derivedFrom: [refOf(from)], caller: caller('mcp', 'memory_note') },
      ),
    modelBelieves: (from: WriteResult) =>
      agent.write(
        'belief',
        { statement: WORDS.belief },
        { ...asModel, derivedFrom: [refOf(from)], caller: caller('mcp', 'memory_belief') },
      ),
    modelGuesses: () =>
      agent.write(
        'belief',
        { statement: WORDS.unsourced },
        { ...asModel, caller: caller('mcp', 'memory_belief') },
      ),
    /** The agent reads its own belief and writes the belief down as news. */
    modelEchoes: (from: WriteResult) =>
      agent.write(
        'belief',
        { statement: WORDS.belief },
        {
          label: label.recallReEntry(),
          actor: 'demo-agent',
          derivedFrom: [refOf(from)],
          caller: caller('mcp', 'memory_belief'),
        },
      ),
  }
}

export const refOf = ({ ref }: WriteResult): string => ref ?? ''
