import { MunimentError } from '../../domain/errors.ts'

const NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** A name that needs no quoting in statements; other names are refused. */
export function parseName(text: string, field: 'schema' | 'role'): string {
  if (NAME.test(text)) return text
  throw new MunimentError('invalid_input', `“${text}” cannot be the ${field}.`, {
    issues: [{ path: field, message: 'small letters, digits and underscores only, at most 63' }],
  })
}
