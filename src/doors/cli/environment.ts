import { SETTING_NAMES, SETTINGS } from '../../operations/settings.ts'

export const environment = (): string => `Variables the program reads

  MUNIMENT_CONFIG   a file of settings (muniment help settings)
  MUNIMENT_AGENT    set by a program for the shells it opens: what is written is a model's
  NO_COLOR          no colour

and one for every setting, which wins over the same setting in a file:

${variables()}
Lists are parted by commas, switches are 1 or 0, MUNIMENT_REDACT is JSON.
`

/** Built from the table of settings, so none is forgotten here. */
function variables(): string {
  const width = 2 + Math.max(...SETTING_NAMES.map((name) => SETTINGS[name].variable.length))
  return SETTING_NAMES.map((name) => {
    const { variable, says } = SETTINGS[name]
    return `  ${variable.padEnd(width)}${says}\n`
  }).join('')
}
