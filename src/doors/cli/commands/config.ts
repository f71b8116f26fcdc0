import { SETTING_NAMES, SETTINGS, type SettingName } from '../../../operations/settings.ts'
import type { Page } from '../../../operations/text/page.ts'
import { table } from '../../../operations/text/table.ts'
import { oneLine } from '../../../operations/text/words.ts'
import type { Origin } from '../../config/settle.ts'
import type { Session } from '../session.ts'
import type { Command } from '../spec/command.ts'
import { ok } from '../spec/command.ts'

export const config: Command = {
  name: 'config',
  group: 'stack',
  summary: 'Show every setting, and where its value comes from.',
  positionals: [],
  options: [],
  examples: [
    'muniment stack config',
    'muniment stack config --config ./muniment.config.json --json',
  ],
  notes: [
    'An option wins over the environment, that over a file, and that over what is usual.',
    'Files and what stands in them: muniment help settings. Secrets are not shown.',
  ],
  takesInput: false,
  run: async (session) => {
    const { files } = session.settings
    const settings = SETTING_NAMES.map((name) => shown(name, session))
    return ok({ files, settings }, (page) => pageOf({ files, settings }, page))
  },
}

interface Shown {
  readonly name: SettingName
  readonly value: unknown
  readonly from: Origin['from']
  readonly where: string | null
  readonly line: number | null
  readonly variable: string
  readonly says: string
}

function shown(name: SettingName, session: Session): Shown {
  const { origins } = session.settings
  const { variable, secret, says } = SETTINGS[name]
  const value = inUse(name, session)
  return {
    name,
    value: secret && typeof value === 'string' ? masked(name, value) : value,
    ...origins[name],
    variable,
    says,
  }
}

/** The defaults of these two settings depend on the machine. */
function inUse(name: SettingName, { home, stackId, values }: Session): unknown {
  if (name === 'home') return home
  if (name === 'stack') return stackId
  return values[name]
}

/** Hides a key entirely; hides only the password of an address. */
function masked(name: SettingName, value: string): string {
  if (name === 'token' || name === 'embedder.key') return '***'
  return value.replace(/(\/\/[^/@:]*:)[^@]*@/, '$1***@').replace(/([?&][^=&]*=)[^&]*/g, '$1***')
}

function pageOf(
  { files, settings }: { readonly files: readonly string[]; readonly settings: readonly Shown[] },
  { ink }: Page,
): readonly string[] {
  const rows = settings.map(({ name, value, from, where, line }) => {
    const said = value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
    const text = oneLine(said)
    const origin = where === null ? from : `${where}${line === null ? '' : `:${line}`}`
    return [
      { text: name, shown: ink.strong(name) },
      { text, shown: from === 'default' ? ink.faint(text) : text },
      { text: origin, shown: ink.faint(origin) },
    ]
  })
  const read = files.length === 0 ? 'No file of settings.' : `Read: ${files.join(', ')}.`
  return [...table(rows), '', `${read} More: muniment help settings`]
}
