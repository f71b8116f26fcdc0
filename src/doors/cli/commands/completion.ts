import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { COMMAND_NAMES } from '../overview.ts'
import type { Answer, Command, Option } from '../spec/command.ts'
import { commonOptions } from '../spec/command.ts'
import { notGiven } from './input.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'words'] as const

/** The script asks this program for words, so both always agree. */
const SCRIPTS: Readonly<Record<Exclude<(typeof SHELLS)[number], 'words'>, string>> = {
  bash: `_muniment() {
  local words
  if [ "$COMP_CWORD" -le 1 ]; then words=$(muniment completion words)
  else words=$(muniment completion words "\${COMP_WORDS[1]}" 2>/dev/null); fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _muniment muniment`,
  zsh: `#compdef muniment
_muniment() {
  local -a found
  if (( CURRENT <= 2 )); then found=(\${(f)"$(muniment completion words)"})
  else found=(\${(f)"$(muniment completion words "\${words[2]}" 2>/dev/null)"}); fi
  compadd -a found
}
compdef _muniment muniment`,
  fish: `complete -c muniment -f -n __fish_use_subcommand -a '(muniment completion words)'
complete -c muniment -n 'not __fish_use_subcommand' -a '(muniment completion words (commandline -opc)[2] 2>/dev/null)'`,
}

/**
 * Prints the script a shell needs to complete a line; the user puts the script where the shell
 * looks.
 */
export const completion: Command = {
  name: 'completion',
  summary: 'A script by which a shell completes commands and options.',
  positionals: [
    {
      field: 'shell',
      reading: { type: 'choice', of: SHELLS },
      required: true,
      help: 'Whose; or words: what can stand next.',
    },
    {
      field: 'command',
      reading: { type: 'text' },
      required: false,
      help: 'The command whose options are meant.',
    },
  ],
  options: [],
  examples: [
    'source <(muniment completion bash)',
    'muniment completion fish > ~/.config/fish/completions/muniment.fish',
  ],
  notes: [],
  takesInput: false,
  run: async (_, { input }) => {
    const shell = input.shell as (typeof SHELLS)[number] | undefined // one of the choices
    if (shell === undefined)
      throw notGiven('completion', completion.positionals.slice(0, 1), {
        all: completion.positionals,
      })
    if (shell !== 'words') return told([SCRIPTS[shell]])
    return told(
      input.command === undefined ? COMMAND_NAMES : await optionsOf(String(input.command)),
    )
  },
}

const told = (lines: readonly string[]): Answer => ({
  json: lines,
  text: () => lines,
  exit: EXIT.ok,
})

async function optionsOf(name: string): Promise<readonly string[]> {
  const { loadCommand } = await import('./registry.ts')
  const command = await loadCommand(name)
  if (!command) throw usageError(`There is no command “${name}”.`, 'muniment help')
  const choices = command.positionals.flatMap(({ reading }) =>
    reading.type === 'choice' ? reading.of : [],
  )
  const flags = [...command.options, ...commonOptions(command.takesInput)].map(
    ({ flag }: Pick<Option, 'flag'>) => `--${flag}`,
  )
  return [...choices, ...flags]
}
