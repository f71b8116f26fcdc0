import type { z } from 'zod'
import type { FieldIssue } from '../../../src/domain/errors.ts'

import type { OPERATIONS, OperationName, ResultOf } from '../../../src/operations/operations.ts'
import { bearer, forgetSession } from './session.ts'

/** What an operation takes, with everything left out that has a default. */
export type Given<N extends OperationName> = z.input<(typeof OPERATIONS)[N]['input']>

interface Problem {
  readonly detail?: string
  readonly title?: string
  readonly code?: string
  readonly hint?: string | null
  readonly issues?: readonly FieldIssue[]
}

/** A refusal of the server, or that there is none. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | null
  readonly issues: readonly FieldIssue[]

  constructor(status: number, problem: Problem) {
    super(problem.detail || problem.title || 'The server did not answer.')
    this.status = status
    this.code = problem.code ?? 'unreachable'
    this.hint = problem.hint ?? null
    this.issues = problem.issues ?? []
  }
}

interface Asking {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Everything the page asks of the server passes here. */
export async function ask(path: string, asking: Asking = {}): Promise<Response> {
  const { method = 'GET', body, signal } = asking
  const headers = new Headers(bearer())
  if (body !== undefined) headers.set('content-type', 'application/json')
  const request: RequestInit = { method, headers, cache: 'no-store', credentials: 'omit' }
  if (body !== undefined) request.body = JSON.stringify(body)
  if (signal) request.signal = signal
  const answer = await fetch(path, request).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, {
      detail: 'The server cannot be reached.',
      hint: 'Is muniment serve running?',
    })
  })
  if (answer.ok) return answer
  if (answer.status === 401) forgetSession()
  throw new ApiError(answer.status, await answer.json().catch(() => ({})))
}

export const pathOf = (stack: string, name: string): string =>
  `/v1/stacks/${encodeURIComponent(stack)}/${name.replaceAll('_', '-')}`

/** One operation of the table, typed by the table. */
export async function call<N extends OperationName>(
  stack: string,
  name: N,
  input: Given<N>,
  signal?: AbortSignal,
): Promise<ResultOf<N>> {
  const answer = await ask(pathOf(stack, name), { method: 'POST', body: input, signal })
  return (await answer.json()) as ResultOf<N> // by the table that both sides are made from
}
