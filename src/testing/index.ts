export { INVARIANTS } from './manifest/invariants.ts'
