import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { nodeDriver } from '../stores/sqlite/connection.ts'
import { faultOf, isBusy } from '../stores/sqlite/faults.ts'

const STEP_MS = 5

/**
 * Runs the work while no other process and no other caller holds the file. SQLite holds the lock, so
 * the lock of a process that ends is free again.
 */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = nodeDriver.open(file, { readOnly: false })
  try {
    while (!taken(file, () => db.exec('BEGIN EXCLUSIVE'))) await wait(STEP_MS)
    return await work()
  } finally {
    db.close()
  }
}

function taken(file: string, take: () => void): boolean {
  try {
    take()
    return true
  } catch (cause) {
    const fault = faultOf(cause, file)
    if (isBusy(fault)) return false
    throw fault
  }
}
