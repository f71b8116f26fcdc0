import { describe } from 'vitest'
import { givenStore, type StoreUnderTest } from '../../src/testing/conformance/given.ts'
import { STORE_SUITE } from '../../src/testing/conformance/store-suite.ts'
import { runCases } from '../support/holds.ts'

/** The whole suite over one kind of store; every case gets a new one. */
export function runStoreSuite(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} store`, () => {
    runCases(STORE_SUITE, async (context) => {
      const made = await make()
      context.onTestFinished(made.dispose)
      // skip: the maker of the store gives the reason
      return givenStore(made, (reason) => context.skip(reason))
    })
  })
}
