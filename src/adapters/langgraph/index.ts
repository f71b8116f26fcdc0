export type { SeatMessage, SeatOptions, SeatUser } from '../common/seat.ts'
export { StackStore, type StackStoreOptions } from './store.ts'
