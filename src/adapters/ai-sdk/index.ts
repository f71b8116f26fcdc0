export {
  type AiSdkEmbedderOptions,
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from '../../recall/embed/providers/ai-sdk-embedder.ts'
export type { SeatOptions, SeatUser } from '../common/seat.ts'
export { type ApproveOptions, approveByProvenance } from './approve.ts'
export { type MemoryToolsOptions, memoryTools } from './memory-tools.ts'
export { type AiSdkModelOptions, aiSdkModel } from './model.ts'
export { aiSdkSeat, memoryMiddleware, type WithMemoryOptions, withMemory } from './with-memory.ts'
