import type { CountedLess } from '../../../stack/counted-less.ts'
import { plural } from '../render/words.ts'
import { type Check, ok } from './doctor-check.ts'

/** Nothing is wrong where memories count for less: the person learns why act is not served them. */
export function tiersCheck({ count, refs }: CountedLess): Check {
  if (count === 0) return ok('tiers', 'every memory counts for what was recorded')
  const counts = `${plural(count, 'memory counts', 'memories count')} for less than when recorded`
  const why = 'a hook captured the words of a tool, and no person vouches for tool and path'
  const more = count > refs.length ? ' …' : ''
  return ok('tiers', `${counts}: ${why}; for act they are withheld: ${refs.join(' ')}${more}`)
}
