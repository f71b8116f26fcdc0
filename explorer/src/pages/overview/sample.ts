import { ask, call } from '../../api/client.ts'
import { stacksHere } from '../../api/sign-in.ts'

/** A stack of its own, so that a sample never mixes with what a person remembers. */
export const SAMPLE_STACK = 'sample'

/** Writes the sample once; a second call finds the stack and changes nothing. */
export async function loadSample(): Promise<void> {
  const { stacks } = await stacksHere()
  if (stacks.some(({ id }) => id === SAMPLE_STACK)) return
  await ask('/v1/stacks', { method: 'POST', body: { id: SAMPLE_STACK } })
  const report = await call(SAMPLE_STACK, 'raw', {
    content: 'Deploy of release 2.5 failed: migration 12 locked the orders table for nine minutes',
  })
  const episode = await call(SAMPLE_STACK, 'episode', {
    objective: 'Release 2.5',
    outcome: 'Failed: the orders table was locked',
    lessons: ['Run the migration before the deploy'],
    derivedFrom: [report.ref],
  })
  const note = await call(SAMPLE_STACK, 'note', {
    content: 'The orders table has forty million rows',
    tags: ['database'],
  })
  const belief = await call(SAMPLE_STACK, 'belief', {
    statement: 'Migrations have to run before the deploy',
    derivedFrom: [episode.ref, note.ref],
  })
  await call(SAMPLE_STACK, 'goal', {
    title: 'Release without downtime',
    derivedFrom: [belief.ref],
  })
  await call(SAMPLE_STACK, 'claim', {
    subject: 'release day',
    predicate: 'weekday',
    value: 'Friday',
    validFrom: '2024',
  })
  await call(SAMPLE_STACK, 'claim', {
    subject: 'release day',
    predicate: 'weekday',
    value: 'Tuesday',
    validFrom: '2025-03',
  })
}
