import type { LanguageModel } from 'ai'
import { MunimentError } from '../../domain/errors.ts'
import type { InferencePort, InferOptions, Inferred } from '../../ports/models.ts'
import {
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from '../../recall/embed/providers/ai-sdk-embedder.ts'

export interface AiSdkModelOptions {
  /** Any language model of the AI SDK: `openai('…')`, `anthropic('…')`, `ollama('…')`. */
  readonly model: Exclude<LanguageModel, string>
  /** The embedding model for search while this model is attached. */
  readonly embeddingModel?: AiSdkEmbeddingModel
  /** The length of its vectors; needed with an embedding model. */
  readonly dimension?: number
}

/** A model of the Vercel AI SDK as the engine asks it. What it answers is not trusted here or there. */
export function aiSdkModel({ model, embeddingModel, dimension }: AiSdkModelOptions): InferencePort {
  if (typeof model !== 'object' || model === null) {
    throw new MunimentError('invalid_input', 'The model is an object that a provider made.', {
      hint: "openai('gpt-5-mini') of @ai-sdk/openai, not 'openai/gpt-5-mini'",
      issues: [{ path: 'model', message: 'expected a model of the AI SDK' }],
    })
  }
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

interface ModelCall {
  readonly model: AiSdkModelOptions['model']
  readonly modelId: string
}

async function inferred(
  { model, modelId }: ModelCall,
  prompt: string,
  { system, temperature, outputTokensMax, signal, schema }: InferOptions,
): Promise<Inferred> {
  const { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } = await sdk()
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
      facts: { model: modelId, ...failure(cause, APICallError) },
    })
  }
}

type Sdk = typeof import('ai')

/** Loaded when a model is asked: who imports this without it learns what is missing, and not from Node. */
async function sdk(): Promise<Sdk> {
  try {
    return await import('ai')
  } catch (cause) {
    throw new MunimentError(
      'model_unavailable',
      'The package “ai”, the AI SDK, cannot be loaded.',
      {
        hint: 'It is not installed with muniment: npm i ai',
        facts: { isRetryable: false, isBilled: false },
        cause,
      },
    )
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

const REFUSED_FROM = 400 // statuses of answers that say no

/**
 * The failure by the provider's answer: a key refused once is refused again. A refusal or an
 * unreachable provider billed nothing; an unreadable answer may have been billed.
 */
function failure(cause: unknown, APICallError: Sdk['APICallError']): Failure {
  if (!APICallError.isInstance(cause)) return { isRetryable: true, isBilled: true }
  const { statusCode, isRetryable } = cause
  if (statusCode === undefined) return { isRetryable, isBilled: false }
  return { isRetryable, isBilled: statusCode < REFUSED_FROM, status: statusCode }
}

interface Failure {
  readonly isRetryable: boolean
  readonly isBilled: boolean
  readonly status?: number
}
