import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  NoObjectGeneratedError,
  Output,
} from 'ai'
import { MunimentError } from '../../domain/errors.ts'
import { type AiSdkEmbeddingModel, aiSdkEmbedder } from '../../embed/providers/ai-sdk-embedder.ts'
import type { InferencePort, InferOptions, Inferred } from '../../ports/inference.ts'

export interface AiSdkModelOptions {
  /** Any language model of the AI SDK: `openai('…')`, `anthropic('…')`, `ollama('…')`. */
  readonly model: Exclude<LanguageModel, string>
  /** Whose vectors search shall use while this model is attached. */
  readonly embeddingModel?: AiSdkEmbeddingModel
  /** The length of its vectors; needed with an embedding model. */
  readonly dimension?: number
}

/** A model of the Vercel AI SDK as the engine asks it. What it answers is not trusted here or there. */
export function aiSdkModel({ model, embeddingModel, dimension }: AiSdkModelOptions): InferencePort {
  const modelId = `${model.provider}:${model.modelId}`
  if (embeddingModel && dimension === undefined) {
    throw new MunimentError('invalid_input', 'An embedding model needs its dimension.', {
      issues: [{ path: 'dimension', message: 'expected the length of its vectors' }],
    })
  }
  return {
    modelId,
    infer: (prompt, options = {}) => inferred({ model, modelId }, prompt, options),
    ...(embeddingModel &&
      dimension !== undefined && {
        embedder: aiSdkEmbedder({ model: embeddingModel, dimension }),
      }),
  }
}

interface Asked {
  readonly model: AiSdkModelOptions['model']
  readonly modelId: string
}

async function inferred(
  { model, modelId }: Asked,
  prompt: string,
  { system, temperature, outputTokensMax, signal, schema }: InferOptions,
): Promise<Inferred> {
  try {
    const { text, usage } = await generateText({
      model,
      prompt,
      maxRetries: 0, // each attempt is paid for, so that whoever holds the purse retries
      ...(system !== undefined && { instructions: system }),
      ...(temperature !== undefined && { temperature }),
      ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
      ...(signal && { abortSignal: signal }),
      ...(schema && { output: Output.object({ schema: jsonSchema(schema) }) }),
    })
    return inferredOf(text, usage)
  } catch (cause) {
    // An answer in another shape is an answer all the same: it cost something, and is judged later.
    if (NoObjectGeneratedError.isInstance(cause) && cause.text !== undefined) {
      return inferredOf(cause.text, cause.usage)
    }
    throw new MunimentError('model_unavailable', `The model ${modelId} failed.`, {
      cause,
      hint: 'Check its address, its key and whether it runs.',
      facts: { model: modelId, ...failure(cause) },
    })
  }
}

interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

const inferredOf = (text: string, usage: Usage | undefined): Inferred => ({
  text,
  inputTokens: usage?.inputTokens ?? null,
  outputTokens: usage?.outputTokens ?? null,
})

/** What the provider says of it: a key that is refused once is refused again. */
function failure(cause: unknown): { readonly status?: number; readonly isRetryable: boolean } {
  if (!APICallError.isInstance(cause)) return { isRetryable: true }
  const { statusCode, isRetryable } = cause
  return { isRetryable, ...(statusCode !== undefined && { status: statusCode }) }
}
