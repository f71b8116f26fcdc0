import { MunimentError } from '../../domain/errors.ts'
import type { Command } from './spec/command.ts'

/** Renames the fields of a failure to the options a person types; programs get the field names. */
export function asTyped(error: unknown, command: Command): unknown {
  if (!(error instanceof MunimentError) || error.issues.length === 0) return error
  const typed = (path: string): string => typedIn(command, path) ?? path
  const issues = error.issues.map(({ path, message }) => ({ path: typed(path), message }))
  const said = error.issues.reduce(
    (text, { path }) => text.replace(wholeWord(path), typed(path)),
    error.message,
  )
  const { code, hint, facts } = error
  return new MunimentError(code, said, {
    issues,
    facts,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  })
}

function typedIn({ positionals, options }: Command, path: string): string | undefined {
  if (positionals.some(({ field }) => field === path)) return `<${path}>`
  const option = options.find(({ field }) => field === path)
  return option && `--${option.flag}`
}

const wholeWord = (path: string): RegExp =>
  new RegExp(`(?<![\\w<-])${path.replace(/[^\w]/g, '\\$&')}(?![\\w>-])`, 'g')
