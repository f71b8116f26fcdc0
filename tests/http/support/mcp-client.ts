import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'
import { CLIENT_INFO, type Generation } from '../../mcp/support/clients.ts'

/** A client of either generation, connected over HTTP. */
export async function connectHttp(
  generation: Generation,
  address: string,
  { token }: { readonly token?: string } = {},
): Promise<NewClient | OldClient> {
  const url = new URL(address)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = await connected(generation, url, { requestInit: { headers } })
  onTestFinished(() => client.close())
  return client
}

type Init = { readonly requestInit: { readonly headers: Record<string, string> } }

async function connected(
  generation: Generation,
  url: URL,
  init: Init,
): Promise<NewClient | OldClient> {
  if (generation === 'v1') {
    const client = new OldClient(CLIENT_INFO)
    await client.connect(new OldHttp(url, init) as Parameters<OldClient['connect']>[0]) // its own transport
    return client
  }
  const mode = generation === 'v2' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new NewClient(CLIENT_INFO, { versionNegotiation: { mode } })
  await client.connect(new NewHttp(url, init))
  return client
}
