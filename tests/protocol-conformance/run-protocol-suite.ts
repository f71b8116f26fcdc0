import { describe } from 'vitest'
import type { StoreUnderTest } from '../../src/testing/conformance/given.ts'
import { givenStack } from '../../src/testing/conformance/protocol-given.ts'
import { PROTOCOL_SUITE } from '../../src/testing/conformance/protocol-suite.ts'
import { runCases } from '../support/holds.ts'

/** The whole suite over one kind of store; every case gets a new one. */
export function runProtocolSuite(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`the stack over ${name}`, () => {
    runCases(PROTOCOL_SUITE, async (context) => {
      const made = await make()
      context.onTestFinished(made.dispose)
      // skip: the maker of the store gives the reason
      return givenStack(made, (reason) => context.skip(reason))
    })
  })
}
