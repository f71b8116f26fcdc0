import { kebab } from '../../../src/doors/cli/spec/names.ts'
import { typedAs } from '../../../src/operations/command-groups.ts'
import { OPERATIONS, type OperationName } from '../../../src/operations/operations.ts'

/** The words of an operation's command: `ledger`, `prove`. */
export const commandWords = (name: OperationName): readonly string[] =>
  typedAs(kebab(name), OPERATIONS[name].group).split(' ')
