import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import type { RestorerTask } from '../support/restorer.ts'

/** Restores a stack, and is killed before its nth change of a file once the backup is verified. */
const { home, from, killBefore } = JSON.parse(process.argv[2] ?? '') as RestorerTask // written by support/restorer.ts

let isVerified = false // what comes before touches a file of the restore's own
let steps = 0
function counted<Args extends unknown[], Result>(work: (...args: Args) => Result) {
  return function step(this: unknown, ...args: Args): Result {
    if (isVerified) steps += 1
    if (steps === killBefore) process.kill(process.pid, 'SIGKILL')
    return work.apply(this, args)
  }
}

fs.linkSync = counted(fs.linkSync)
fs.mkdirSync = counted(fs.mkdirSync) as typeof fs.mkdirSync // overloads of one function
fs.renameSync = counted(fs.renameSync)
fs.rmSync = counted(fs.rmSync)
fs.unlinkSync = counted(fs.unlinkSync)
fs.writeFileSync = counted(fs.writeFileSync)
fs.fsyncSync = counted(fs.fsyncSync)
syncBuiltinESMExports()
DatabaseSync.prototype.exec = counted(DatabaseSync.prototype.exec)
DatabaseSync.prototype.close = counted(DatabaseSync.prototype.close)

const { restoreStack } = await import('../../../src/compose/restore-stack.ts')
await restoreStack('demo', {
  ...{ home, from, replace: true },
  onProgress: ({ done, total }) => {
    isVerified = done === total
  },
  onSetAside: () => process.exit(),
})
