import { type McpServer, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { cutTo } from '../../operations/text/words.ts'
import { isAddress } from './resources.ts'

const ADDRESSES_MAX = 1_000
const URI_SHOWN_MAX = 200

/** Addresses that a client watches; the client hears of each after a write of its own connection. */
export class Subscriptions {
  readonly #mcp: McpServer
  readonly #uris = new Set<string>()

  constructor(mcp: McpServer) {
    this.#mcp = mcp
    mcp.server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      if (!isAddress(uri) || this.#uris.size >= ADDRESSES_MAX) {
        throw new ResourceNotFoundError(cutTo(uri, URI_SHOWN_MAX))
      }
      this.#uris.add(uri)
      return {}
    })
    mcp.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      this.#uris.delete(uri)
      return {}
    })
  }

  /** Any write may change any page: lists, queues and lineage all follow from the ledger. */
  async written(): Promise<void> {
    for (const uri of this.#uris) {
      await this.#mcp.server.sendResourceUpdated({ uri }).catch(() => undefined) // nobody listens
    }
  }
}
