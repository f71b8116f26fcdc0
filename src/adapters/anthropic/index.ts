export type { BlamedLine } from '../common/blame.ts'
export type { SeatMessage, SeatOptions, SeatUser } from '../common/seat.ts'
export { FolderMemoryTool } from './folder-memory-tool.ts'
export { StackMemoryTool } from './memory-tool.ts'
