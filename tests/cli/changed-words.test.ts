import path from 'node:path'
import { expect } from 'vitest'
import { cell, vandaliseNeatly } from '../sqlite/support/raw.ts'
import { holds } from '../support/holds.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

const SAID = 'The words are not those that were written.'

holds(
  'LEDGER-DETECT',
  'words that were changed in the file are neither shown, explained nor proved',
  () => {
    const home = scratch()
    const call = (...args: readonly string[]) => muniment(args, { home })
    const { ref } = JSON.parse(call('note', 'The gate is shut', '--json').out)
    const other = JSON.parse(call('note', 'The lamp is lit', '--json').out)
    const file = path.join(home, 'stacks', 'default.db')
    const forged = `CAST(replace(CAST(bytes AS TEXT), 'gate is shut', 'gate is open') AS BLOB)`
    vandaliseNeatly(file, `UPDATE sealed SET bytes = ${forged} WHERE ref = '${ref}'`)
    expect(cell(file, `SELECT CAST(bytes AS TEXT) FROM sealed WHERE ref = '${ref}'`)).toContain(
      'gate is open',
    )

    for (const command of ['show', 'why', 'ledger prove']) {
      const words = command.split(' ')
      const { code, out, err } = call(...words, ref)
      expect([command, code, out], err).toEqual([command, 4, ''])
      expect(err, command).toContain(SAID)
      expect(call(...words, other.ref).code, command).toBe(0)
    }
    expect(call('ledger', 'prove', ref, '--withhold').code).toBe(0) // proves the entry, which stands
  },
)
