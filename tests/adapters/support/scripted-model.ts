import { type Model, type ModelRequest, type ModelResponse, Usage } from '@openai/agents-core'

/** A model of the OpenAI Agents SDK that answers from a list. */
export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  readonly #answers: string[]

  constructor(answers: readonly string[]) {
    this.#answers = [...answers]
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { signal: _, ...rest } = request
    this.requests.push(structuredClone({ ...rest, tracing: false }))
    const text = this.#answers.shift() ?? 'nothing'
    return {
      usage: new Usage(),
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text }],
        },
      ],
    }
  }

  // biome-ignore lint/correctness/useYield: a stream that is never asked for
  async *getStreamedResponse(): AsyncIterable<never> {
    throw new Error('this model does not stream')
  }
}
