import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/** The explorer's built files; nothing outside its folder is ever read. */
export class ExplorerFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = path.resolve(folder)
  }

  /** The file at a path, or the index page for a view. Null for anything else. */
  async answer(requested: string): Promise<Response | null> {
    const file = await this.#read(requested === '/' ? '/index.html' : requested)
    if (file) return file
    return isView(requested) ? this.#read('/index.html') : null
  }

  /** The explorer's page for a dead address. Null without an explorer. */
  async notFoundPage(): Promise<Response | null> {
    const page = await this.#read('/index.html')
    return page && new Response(page.body, { status: 404, headers: page.headers })
  }

  async #read(requested: string): Promise<Response | null> {
    const type = TYPES[path.extname(requested)]
    if (type === undefined || requested.includes('\0')) return null
    try {
      const folder = await realpath(this.#folder)
      const file = await realpath(path.join(folder, ...decodeURIComponent(requested).split('/')))
      if (!file.startsWith(`${folder}${path.sep}`)) return null
      const isHashed = /[.-][\w-]{8,}\.\w+$/.test(file) && !file.endsWith('.html')
      return new Response(new Uint8Array(await readFile(file)), {
        headers: {
          'content-type': type,
          'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        },
      })
    } catch {
      return null // missing, or no file
    }
  }
}

/**
 * Pages of the explorer, each under `/<stack>/<page>`; the explorer's own routes must match this
 * list.
 */
const EXPLORER_PAGES = [
  'overview',
  'browse',
  'search',
  'review',
  'claims',
  'ledger',
  'time',
  'distrust',
  'memory',
] as const

export type ExplorerPage = (typeof EXPLORER_PAGES)[number]

function isView(path: string): boolean {
  const [, stack = '', page = ''] = path.split('/')
  if (stack === 'v1' || stack === 'mcp') return false // paths of programs
  if (page === '') return !stack.includes('.') // a dot marks a file
  return EXPLORER_PAGES.some((name) => name === page)
}
