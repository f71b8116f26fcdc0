import { Entity } from '../../../src/agent/entity.ts'
import type { Stack } from '../../../src/stack.ts'

const SERVICES = [
  'orders',
  'billing',
  'search',
  'catalogue',
  'mailer',
  'gateway',
  'reports',
  'ledger',
] as const
const EVENTS = [
  'finished its nightly backup',
  'answered slower than usual',
  'was restarted after a deploy',
  'reported a full queue',
  'passed its health check',
  'renewed its certificate',
  'dropped a connection to the database',
  'scaled out to another node',
] as const
const DETAILS = [
  'without a retry',
  'after two retries',
  'in region eu-west-1',
  'in region us-east-1',
  'during the release',
] as const

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T // it is not empty

const SYLLABLES = 'ba de fi go lu ma ne pi ro su ta ve wi zo kra ble'.split(' ')

/** A name instead of a number: sentences that differ in a number alone contradict each other. */
const named = (n: number): string =>
  [n, n >> 4, n >> 8, n >> 12].map((part) => pick(SYLLABLES, part)).join('')

/** The n-th of as many sentences as anybody wants, all different. */
export const sentence = (n: number): string =>
  `Run ${named(n)}: the ${pick(SERVICES, n * 7)} service ${pick(EVENTS, n * 3 + (n >> 3))} ${pick(DETAILS, n >> 2)}.`

const WRITERS = 512
const EPISODE_EVERY = 5

/** Words of a tool in quick succession; now and then an episode, which is two memories: itself and its words. */
export async function fill(stack: Stack, memories: number, onWrite: () => void): Promise<void> {
  const agent = new Entity('ops-agent')
  await agent.attachStack(stack)
  let next = 0
  let made = 0
  const writer = async (): Promise<void> => {
    while (made < memories) {
      const n = next
      const isEpisode = n % EPISODE_EVERY === 0
      next += 1
      made += isEpisode ? 2 : 1
      onWrite()
      await (isEpisode
        ? agent.episode({
            objective: `Look after run ${named(n)}`,
            outcome: sentence(n),
            observed: true,
          })
        : agent.raw(sentence(n)))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
}
