// Loaded before a program: writes down, when it ends, which files it loaded.
import { writeFileSync } from 'node:fs'
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

if (list !== undefined) process.on('exit', () => writeFileSync(list, JSON.stringify(loaded)))
