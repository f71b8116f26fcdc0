import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import type { RestorerTask, StepName } from '../support/restorer.ts'

/** Restores a stack, and is killed before one of its changes of a file once the backup is verified. */
const { home, from, killBefore } = JSON.parse(process.argv[2] ?? '') as RestorerTask // written by support/restorer.ts

let isVerified = false // what comes before touches a file of the restore's own
const made: Partial<Record<StepName | 'any', number>> = {}
function counted<Args extends unknown[], Result>(name: StepName, work: (...args: Args) => Result) {
  return function step(this: unknown, ...args: Args): Result {
    if (isVerified) {
      for (const kind of ['any', name] as const) made[kind] = (made[kind] ?? 0) + 1
      const isLast = killBefore.step === 'any' || killBefore.step === name
      if (isLast && made[killBefore.step] === killBefore.nth) process.kill(process.pid, 'SIGKILL')
    }
    return work.apply(this, args)
  }
}

fs.linkSync = counted('link', fs.linkSync)
fs.mkdirSync = counted('mkdir', fs.mkdirSync) as typeof fs.mkdirSync // overloads of one function
fs.renameSync = counted('rename', fs.renameSync)
fs.rmSync = counted('rm', fs.rmSync)
fs.unlinkSync = counted('unlink', fs.unlinkSync)
fs.writeFileSync = counted('write', fs.writeFileSync)
fs.fsyncSync = counted('sync', fs.fsyncSync)
syncBuiltinESMExports()
DatabaseSync.prototype.exec = counted('exec', DatabaseSync.prototype.exec)
DatabaseSync.prototype.close = counted('close', DatabaseSync.prototype.close)

const { restoreStack } = await import('../../../src/compose/restore-stack.ts')
await restoreStack('demo', {
  ...{ home, from, replace: true },
  onProgress: ({ done, total }) => {
    isVerified = done === total
  },
  onSetAside: () => process.exit(),
})
