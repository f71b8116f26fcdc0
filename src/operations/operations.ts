import type { z } from 'zod'
import { changes } from './changes.ts'
import { claims } from './claims.ts'
import { keeping } from './keeping.ts'
import { ledger } from './ledger.ts'
import { lookingBack } from './looking-back.ts'
import { reads } from './reads.ts'
import { working } from './working.ts'
import { writes } from './writes.ts'

/** The table every door is a translation of. What is added here appears at each of them. */
export const OPERATIONS = {
  ...writes,
  ...reads,
  ...lookingBack,
  ...ledger,
  ...claims,
  ...changes,
  ...keeping,
  ...working,
} as const

export type OperationName = keyof typeof OPERATIONS

export type InputOf<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name)
