import { expect, test } from 'vitest'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { testSha256 } from '../support/world.ts'

const PINNED = 'e88179967ecae8e949c44bc0a74cfcd420427010e993059b50aec9628b8ddc0e'

test('the default policy is the one whose hash is in the ledgers of others', () => {
  // Every stack names its policy by this hash, and a payload with another is refused. If it changes,
  // stacks made before go on under theirs, callers who kept a hash are refused, and two stores that
  // were opened by different versions differ from their second entry on. So: only on purpose, said
  // in the change log, and with this line changed in the same commit.
  expect(contentHash(testSha256, defaultPolicy())).toBe(PINNED)
})
