import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import type { Head } from '../../domain/waist.ts'
import { standingOf } from '../sql/entry-rows.ts'
import { assertWhole } from './commit.ts'
import { Connection, type SqlDatabase, type SqlDriver, STANDING } from './connection.ts'
import { faultNamed } from './faults.ts'
import { createPrivately, syncFolder } from './files.ts'
import { fitnessOf } from './migrate.ts'

/**
 * Copies a database in use, checks the copy, and only then renames it to the final name: a file of
 * this name is always a complete backup.
 */
export async function backUp(
  source: SqlDatabase,
  driver: SqlDriver,
  toPath: string,
): Promise<Head> {
  if (existsSync(toPath)) {
    throw new MunimentError('invalid_input', `${basename(toPath)} exists already.`, {
      hint: 'Name another file for the backup.',
    })
  }
  if (source.prepare(STANDING).get() === undefined) {
    throw new MunimentError('not_found', 'Nothing was written yet that could be backed up.')
  }
  const part = `${toPath}.part`
  removeAll(part)
  try {
    createPrivately(part)
    if (source.backup) await source.backup(part)
    else source.prepare('VACUUM INTO ?').run(part)
    const head = headOfCopy(driver, part)
    renameSync(part, toPath)
    syncFolder(dirname(resolve(toPath)))
    return head
  } finally {
    removeAll(part)
  }
}

function removeAll(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
}

/** Opened for writing, because only such a connection removes its `-wal` and `-shm` files. */
function headOfCopy(driver: SqlDriver, path: string): Head {
  const copy = new Connection(path, driver.open(path, { readOnly: false }))
  try {
    const checked = copy.prepare('PRAGMA quick_check').get()
    if (fitnessOf(copy.db, path) !== 'current' || checked?.[0] !== 'ok') {
      throw faultNamed('store_corrupt', path)
    }
    const { head } = standingOf(copy.prepare(STANDING).get()).tip
    assertWhole(copy, head)
    return head
  } finally {
    copy.close()
  }
}
