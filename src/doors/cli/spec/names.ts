/** `emotionalTags` → `emotional-tags`. */
export const kebab = (name: string): string =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Flags no rule would derive. */
const FLAGS: Readonly<Record<string, string>> = {
  derivedFrom: 'from',
  covers: 'covers',
  recordTypes: 'kind',
  tokenBudget: 'budget',
  includeForgotten: 'forgotten',
}

/** A switch for a default turns the default off: `--no-raw`. */
export const offFlagFor = (field: string): string => `no-${kebab(field).replace(/^include-/, '')}`

interface Named {
  readonly field: string
  readonly many: boolean
  /** A field need not repeat the name of its command: `note --type`, not `--note-type`. */
  readonly command: string
}

/** A list is filled one flag at a time, so its flag is the singular: `--lesson` for `lessons`. */
export function flagFor({ field, many, command }: Named): string {
  const own = FLAGS[field]
  if (own !== undefined) return own
  const long = kebab(field)
  const singular = many ? long.replace(/s$/, '') : long
  const prefix = `${kebab(command)}-`
  return singular.startsWith(prefix) ? singular.slice(prefix.length) : singular
}

/** Alternative spellings: the name of the field, and the full flag. */
export function aliasesFor(named: Named): readonly string[] {
  const flag = flagFor(named)
  const long = kebab(named.field)
  const singular = named.many ? long.replace(/s$/, '') : long
  return [...new Set([long, singular, named.field])].filter((alias) => alias !== flag)
}
