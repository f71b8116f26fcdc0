// Loaded before a program, and before each of its threads: adds what it loads to a list, at once, since
// a thread that waits for more work is ended with its program and never told so.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import threads, { type WorkerOptions } from 'node:worker_threads'
import type { LoadedFile } from './installed.ts'

const list = process.env.LOADED_LIST

function add(file: LoadedFile): void {
  if (list !== undefined) fs.appendFileSync(list, `${JSON.stringify(file)}\n`)
}

registerHooks({
  load: (url, context, nextLoad) => {
    const found = nextLoad(url, context)
    const bytes = found.source === undefined ? 0 : Buffer.byteLength(`${found.source}`)
    if (url.startsWith('file:')) add({ url, bytes })
    return found
  },
})

// The program hands no option of its own process to a thread, so this file adds itself to every thread.
threads.Worker = class extends threads.Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const execArgv = [...(options.execArgv ?? []), '--import', import.meta.url]
    super(file, { ...options, execArgv })
  }
}
syncBuiltinESMExports()
