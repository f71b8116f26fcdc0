import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Use } from '../../../src/domain/doors.ts'
import { makeServer } from '../../../src/doors/mcp/server.ts'
import { toolContexts } from '../../../src/doors/mcp/tool-contexts.ts'
import { toolsOf } from '../../../src/operations/tools.ts'
import type { Stack } from '../../../src/stack.ts'

/** A real client and the real server in one process, and what the server would log. */
export async function linkedTo(stack: Stack, { use }: { readonly use?: Use } = {}) {
  const faults: unknown[] = []
  const server = makeServer({
    version: '1',
    tools: toolsOf('full'),
    contextFor: toolContexts({ stack, session: null, model: null, grant: null, use }),
    onFault: (error) => void faults.push(error),
    underWay: () => {},
  })
  const client = new Client({ name: stack.stackId, version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  onTestFinished(() => client.close())
  return { client, faults }
}
