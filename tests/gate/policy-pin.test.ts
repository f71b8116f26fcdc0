import { expect, test } from 'vitest'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { testSha256 } from '../support/world.ts'

const PINNED = '3bcf828649e949a4e51f7567588e4aa799974cdd341805e4dcaa7890d5ea549e'

test('the default policy is the one whose hash is in the ledgers of others', () => {
  // Every stack names its policy by this hash, and a payload with another is refused. If it changes,
  // stacks made before go on under theirs, callers who kept a hash are refused, and two stores that
  // were opened by different versions differ from their second entry on. So: only on purpose, said
  // in the change log, and with this line changed in the same commit.
  expect(contentHash(testSha256, defaultPolicy())).toBe(PINNED)
})
