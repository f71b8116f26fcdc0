// Loaded before a program, and before each of its threads: adds what it loads to a list, at once, since
// a thread that waits for more work is ended with its program and never told so.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import type { LoadedFile } from './installed.ts'

const list = process.env.LOADED_LIST

registerHooks({
  load: (url, context, nextLoad) => {
    const found = nextLoad(url, context)
    const bytes = found.source === undefined ? 0 : Buffer.byteLength(`${found.source}`)
    const file: LoadedFile = { url, bytes }
    if (url.startsWith('file:') && list !== undefined) {
      appendFileSync(list, `${JSON.stringify(file)}\n`)
    }
    return found
  },
})
