import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { MunimentError } from '../../domain/errors.ts'
import { type AppParts, HttpDoor } from './app.ts'

export interface ServeParts extends AppParts {
  readonly host: string
  readonly port: number
}

export interface Serving {
  readonly url: string
  readonly door: HttpDoor
  /**
   * Refuses new requests, answers running ones, and waits until acknowledged writes reach the disk.
   */
  readonly stop: () => Promise<void>
}

const HEADERS_MS = 10_000
const REQUEST_MS = 60_000 // for a whole request to arrive
const KEEP_ALIVE_MS = 5_000
const IDLE_LOOK_MS = 20

export async function listen(parts: ServeParts): Promise<Serving> {
  const door = new HttpDoor(parts)
  const server = createAdaptorServer({
    fetch: (request, env) => door.app.fetch(request, env),
    overrideGlobalObjects: false,
  }) as Server // plain HTTP, since no other was asked for
  server.on('connection', () => door.writeBatcher.arrived())
  server.headersTimeout = HEADERS_MS
  server.requestTimeout = REQUEST_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.maxRequestsPerSocket = 0
  server.listen(parts.port, parts.host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(parts, cause)
  }
  const { port } = server.address() as AddressInfo // the server listens on a port
  const name = parts.host.includes(':') ? `[${parts.host}]` : parts.host
  return { url: `http://${name}:${port}`, door, stop: () => stop(server, door) }
}

async function stop(server: Server, door: HttpDoor): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await door.stop()
  // Closes each connection as soon as its request is answered.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  const limit = setTimeout(() => server.closeAllConnections(), door.stopMs)
  await closed
  clearInterval(idle)
  clearTimeout(limit)
  await door.close()
}

function cannotListen({ host, port }: ServeParts, cause: unknown): MunimentError {
  const { code } = cause as NodeJS.ErrnoException // listen errors have a code
  const taken = code === 'EADDRINUSE'
  return new MunimentError(
    'store_unavailable',
    taken ? `Port ${port} is taken on ${host}.` : `It cannot listen on ${host}, port ${port}.`,
    {
      hint: taken
        ? 'Another port: --port <number>, or 0 for any that is free; of a checkout, npm start -- --port <number>.'
        : '--host',
      cause,
    },
  )
}
