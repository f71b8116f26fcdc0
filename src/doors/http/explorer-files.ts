import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { isView } from './explorer-pages.ts'

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

/** Files of the explorer, where it was built; nothing outside its folder is ever read. */
export class ExplorerFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = path.resolve(folder)
  }

  /** The file of a path, or its page where the path is one of its views. Null where there is none. */
  async answer(requested: string): Promise<Response | null> {
    const file = await this.#read(requested === '/' ? '/index.html' : requested)
    if (file) return file
    return isView(requested) ? this.#read('/index.html') : null
  }

  /** The explorer itself, which says that the address leads nowhere. Null where there is no explorer. */
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
      return null // not there, or no file
    }
  }
}
