import { describe, expect, test, vi } from 'vitest'
import { served } from './support/server.ts'

const made = vi.hoisted(() => ({ openapi: 0, docs: 0 }))
vi.mock('../../src/doors/http/openapi.ts', async (original) => {
  const real = await original<typeof import('../../src/doors/http/openapi.ts')>()
  return {
    ...real,
    openApi: (version: string) => {
      made.openapi += 1
      return real.openApi(version)
    },
  }
})
vi.mock('../../src/doors/http/pages.ts', async (original) => {
  const real = await original<typeof import('../../src/doors/http/pages.ts')>()
  return {
    ...real,
    docsPage: (version: string) => {
      made.docs += 1
      return real.docsPage(version)
    },
  }
})

describe('what anyone may ask for', () => {
  test('is made once, however often it is asked for', async () => {
    const server = await served({ allowsAnyone: false })
    for (const path of ['/openapi.json', '/docs', '/openapi.json', '/docs']) {
      expect((await server.ask(path)).status).toBe(200)
    }
    expect(made).toEqual({ openapi: 1, docs: 1 })
  })
})
