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

/** Reports how long captures are kept, and how many have expired. */
export async function keptCheck(stack: Stack, home: string): Promise<Check> {
  const { keepDays } = await readCaptureSettings(home)
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
