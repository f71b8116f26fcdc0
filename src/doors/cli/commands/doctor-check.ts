import type { CountedLess } from '../../../engine/read/overview.ts'
import { plural } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import { readCaptureSettings } from '../../hook/capture-settings.ts'

export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'bad'
  readonly detail: string
  /** The command to type next. */
  readonly hint: string | null
}

export const ok = (name: string, detail: string): Check => ({
  name,
  status: 'ok',
  detail,
  hint: null,
})

export const warning = (name: string, detail: string, hint: string): Check => ({
  name,
  status: 'warning',
  detail,
  hint,
})

/**
 * Lowered tiers are no fault: the check tells the person why `act` is not served those memories.
 */
export function tiersCheck({ count, refs }: CountedLess): Check {
  if (count === 0) return ok('tiers', 'every memory counts for what was recorded')
  const counts = `${plural(count, 'memory counts', 'memories count')} for less than when recorded`
  const why = 'a hook captured the words of a tool, and no person vouches for tool and path'
  const more = count > refs.length ? ' …' : ''
  return ok('tiers', `${counts}: ${why}; for act they are withheld: ${refs.join(' ')}${more}`)
}

/** The settings of captures, shown because a program with the person's shell can change them too. */
export async function captureChecks(stack: Stack, home: string): Promise<readonly Check[]> {
  const { isPaused, trusted, keepDays } = await readCaptureSettings(home)
  const resume = 'muniment trust captures resume'
  const roots = trusted.map(({ tool, root, trustedAt }) => `${root} (${tool}, since ${trustedAt})`)
  return [
    ...(isPaused ? [warning('hooks', 'paused: they capture nothing', resume)] : []),
    roots.length === 0
      ? ok('vouched', 'for no files: what a tool says counts for tier 1')
      : ok('vouched', `for committed files in ${roots.join(', ')}: muniment trust captures`),
    await keptCheck(stack, keepDays),
  ]
}

/** Reports how long captures are kept, and how many have expired. */
async function keptCheck(stack: Stack, keepDays: number | null): Promise<Check> {
  if (keepDays === null) return ok('captures', 'kept for ever: muniment trust captures keep 90d')
  const { length: count } = await stack.erasure.expiredCaptures(keepDays)
  const kept = `kept for ${plural(keepDays, 'day')}`
  if (count === 0) return ok('captures', `${kept}, none waits to be erased`)
  return warning(
    'captures',
    `${kept}, ${plural(count, 'capture')} past that`,
    'muniment stack maintain',
  )
}
