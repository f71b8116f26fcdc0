export {
  type AiSdkEmbedderOptions,
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from '../../recall/embed/providers/ai-sdk-embedder.ts'
export { type AiSdkModelOptions, aiSdkModel } from './model.ts'
