import { expect, test } from 'vitest'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { testSha256 } from '../support/world.ts'

const PINNED = 'df34f78067652a7c081db6b335b8ff8dcee5735ed5e74fb5df3b2059809d4f57'

test('the default policy is the one whose hash is in the ledgers of others', () => {
  // Every stack names its policy by this hash, and a payload with another is refused. If it changes,
  // stacks made before go on under theirs, callers who kept a hash are refused, and two stores that
  // were opened by different versions differ from their second entry on. So: only on purpose, said
  // in the change log, and with this line changed in the same commit.
  expect(contentHash(testSha256, defaultPolicy())).toBe(PINNED)
})
