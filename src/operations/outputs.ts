import type { z } from 'zod'
import { KINDS, type Kind } from '../domain/ids.ts'
import type { OperationName } from './operations.ts'
import { changeOutputs } from './outputs/changes.ts'
import { ledgerOutputs } from './outputs/ledger.ts'
import { written } from './outputs/parts.ts'
import { readOutputs } from './outputs/reads.ts'

const writeOutputs = Object.fromEntries(KINDS.map((kind) => [kind, written])) as Readonly<
  Record<Kind, typeof written> // one for each of them
>

/**
 * What every operation of the table answers with. Beside the table and not in it: only what describes
 * a door needs it, and a command should not wait for it. Strict, so that a test finds what is not
 * told; what is published leaves room for more.
 */
export const OUTPUTS = {
  ...writeOutputs,
  ...readOutputs,
  ...ledgerOutputs,
  ...changeOutputs,
} as const satisfies Readonly<Record<OperationName, z.ZodType>>
