// Loaded before a program, and before each of its threads: adds, when that ends, what it loaded.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import type { LoadedFile } from './installed.ts'

const loaded: LoadedFile[] = []
const list = process.env.LOADED_LIST

registerHooks({
  load: (url, context, nextLoad) => {
    const found = nextLoad(url, context)
    const bytes = found.source === undefined ? 0 : Buffer.byteLength(`${found.source}`)
    if (url.startsWith('file:')) loaded.push({ url, bytes })
    return found
  },
})

const lines = (): string => loaded.map((file) => `${JSON.stringify(file)}\n`).join('')
if (list !== undefined) process.on('exit', () => appendFileSync(list, lines()))
