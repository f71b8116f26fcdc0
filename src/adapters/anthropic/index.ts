export type { BlamedLine } from '../common/blame.ts'
export type { SeatMessage, SeatOptions, SeatUser } from '../common/seat.ts'
// The SDK's own name too, so that a host changes the import alone.
export {
  FolderMemoryTool,
  FolderMemoryTool as BetaLocalFilesystemMemoryTool,
} from './folder-memory-tool.ts'
export { StackMemoryTool } from './memory-tool.ts'
