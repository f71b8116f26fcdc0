export { MemoryStore } from '../stores/memory/store.ts'
export { givenStore, type StoreGiven, type StoreUnderTest } from './conformance/given.ts'
export {
  type ItemStore,
  type ItemStoreGiven,
  LANGGRAPH_STORE_SUITE,
} from './conformance/langgraph-store-suite.ts'
export { givenStack, type StackGiven } from './conformance/protocol-given.ts'
export { PROTOCOL_SUITE } from './conformance/protocol-suite.ts'
export { STORE_SUITE } from './conformance/store-suite.ts'
export { type Fault, FaultyStore } from './faulty-store.ts'
export { type Case, titleOf } from './manifest/case.ts'
export { INVARIANTS } from './manifest/invariants.ts'
export {
  SimulationFailure,
  type SimulationOptions,
  type SimulationReport,
  simulate,
} from './simulation/simulate.ts'
export {
  countingIds,
  type Dice,
  type FakeClock,
  fakeClock,
  fakeWorld,
  type Stretch,
  seededDice,
  seededRandom,
} from './world.ts'
