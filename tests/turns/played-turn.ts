import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import type { ScriptedTurn } from './scripted-turns.ts'

export async function withStack<T>(work: (stack: Stack, me: Entity) => Promise<T>): Promise<T> {
  const stack = await openStack('turns', { path: ':memory:' })
  const me = new Entity('agent', { modelId: 'scripted' })
  await me.attachStack(stack)
  try {
    return await work(stack, me)
  } finally {
    await stack.close()
  }
}

export const person = { label: label.userAsserted(), actor: 'turns:user' } as const
export const inTurn = (turn: string) => ({ session: 's', turn })

type PlayedTurn = Pick<ScriptedTurn, 'prompts' | 'toolResults' | 'written'>

/** Plays a turn as a host of the library would, and asks why the written memory is there. */
export const playTurn = ({ prompts, toolResults = [], written }: PlayedTurn) =>
  withStack(async (stack, me) => {
    for (const [at, prompt] of prompts.entries()) {
      await me.raw(prompt, { ...person, ...inTurn(`t${at}`) })
    }
    const turn = inTurn(`t${prompts.length - 1}`)
    for (const result of toolResults) await me.raw(result, turn)
    const { kind, ...body } = written
    const model = { ...turn, label: label.modelDerived(), because: 'It came up in the talk.' }
    const { ref } =
      kind === 'belief'
        ? await me.write('belief', body as { statement: string }, model)
        : await me.write(
            'claim',
            body as { subject: string; predicate: string; value: string },
            model,
          )
    return stack.history.why(ref)
  })
