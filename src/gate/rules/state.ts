import { MaintenanceModeError } from '../../domain/errors.ts'
import type { Rule } from '../case.ts'

/** A stack in maintenance takes no memories. INITIALIZING only relaxes the sources of seeds. */
export const state: Rule = {
  name: 'state',
  judge: ({ desk, candidate }) => {
    if (desk.stack.state !== 'MAINTENANCE') return undefined
    return { type: 'error', error: new MaintenanceModeError(`saving a ${candidate.main.kind}`) }
  },
}
