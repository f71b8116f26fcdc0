import { GROUPS } from '../../../operations/command-groups.ts'
import { EXIT } from '../exit-codes.ts'
import { FIRST_SCREEN } from '../overview.ts'
import type { Answer, Command, Option } from '../spec/command.ts'
import { commonOptions } from '../spec/command.ts'
import { notGiven } from './input.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'words'] as const

/** The script asks this program for words, so both always agree; a group takes two words. */
const SCRIPTS: Readonly<Record<Exclude<(typeof SHELLS)[number], 'words'>, string>> = {
  bash: `_muniment() {
  local words n=$((COMP_CWORD - 1))
  if [ "$n" -gt 2 ]; then n=2; fi
  words=$(muniment completion words "\${COMP_WORDS[@]:1:n}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _muniment muniment`,
  zsh: `#compdef muniment
_muniment() {
  local -a found
  local -i last=$(( CURRENT > 3 ? 3 : CURRENT - 1 ))
  found=(\${(f)"$(muniment completion words "\${(@)words[2,last]}" 2>/dev/null)"})
  compadd -a found
}
compdef _muniment muniment`,
  fish: `complete -c muniment -f -n __fish_use_subcommand -a '(muniment completion words)'
complete -c muniment -n 'not __fish_use_subcommand' -a '(muniment completion words (commandline -opc)[2..3] 2>/dev/null)'`,
}

/**
 * Prints the script a shell needs to complete a line; the user puts the script where the shell
 * looks.
 */
export const completion: Command = {
  name: 'completion',
  group: 'hidden',
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
      help: 'The command whose options are meant, or its group.',
    },
    {
      field: 'member',
      reading: { type: 'text' },
      required: false,
      help: 'A command of the group.',
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
    const typed = [input.command, input.member].filter((word) => word !== undefined).map(String)
    return told(await wordsAfter(typed))
  },
}

const told = (lines: readonly string[]): Answer => ({
  json: lines,
  text: () => lines,
  exit: EXIT.ok,
})

/** The words that can stand next. */
async function wordsAfter(typed: readonly string[]): Promise<readonly string[]> {
  if (typed.length === 0) return [...Object.keys(FIRST_SCREEN), ...Object.keys(GROUPS), 'help']
  const { commandsIn, findCommand } = await import('./registry.ts')
  const found = await findCommand(typed)
  if ('group' in found) return (await commandsIn(found.group)).map(({ name }) => name)
  const { positionals, options, takesInput } = found.command
  const choices = positionals.flatMap(({ reading }) =>
    reading.type === 'choice' ? reading.of : [],
  )
  const flags = [...options, ...commonOptions(takesInput)].map(
    ({ flag }: Pick<Option, 'flag'>) => `--${flag}`,
  )
  return [...choices, ...flags]
}
