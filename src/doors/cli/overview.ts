interface Line {
  readonly name: string
  readonly says: string
}

interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

const line = (name: string, says: string): Line => ({ name, says })

/**
 * The commands at a glance. Written down here so that help loads nothing; a test holds the list to
 * the table of operations.
 */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Begin',
    lines: [
      line('demo', 'the whole story on a throw-away stack, in a few seconds'),
      line('init', 'make the home folder and a stack'),
    ],
  },
  {
    title: 'Write',
    lines: [
      line('raw', 'something as it was said or seen; needs no source'),
      line('note', 'an observation, decision, insight or quote'),
      line('episode', 'what was tried, how it came out, what it taught'),
      line('claim', 'a value for a subject and a predicate'),
      line('belief', 'something held to be so, with --because or --from'),
      line('goal', 'something to reach'),
      line('value', 'what matters, formed from beliefs'),
      line('drive', 'what moves the agent'),
      line('relationship', 'someone or something known'),
      line('playbook', 'a way of doing something that has worked'),
      line('summary', 'what a stretch of time amounted to'),
      line('self-narrative', 'what the agent says of itself'),
      line('epoch', 'a marker of time: a chapter begins or ends'),
    ],
  },
  {
    title: 'Ask',
    lines: [
      line('why', 'down to the words it rests on, and the rule that let it in'),
      line('trace', 'everything a memory was made from'),
      line('impact', 'everything that was made from a memory'),
      line('show', 'one memory with its birth certificate'),
      line('list', 'memories, newest first'),
      line('stats', 'how many of each kind'),
    ],
  },
  {
    title: 'Keep',
    lines: [
      line('audit', 'recompute the whole ledger; name the first thing that is not so'),
      line('state', 'the lifecycle state, or go to another'),
      line('reject', 'say no to something quarantined'),
      line('backup', 'copy the stack into a file'),
      line('vacuum', 'give back room in the file that nothing uses'),
      line('doctor', 'look whether everything here is well'),
      line('token', 'personal tokens: create, list, revoke'),
    ],
  },
  {
    title: 'Agents',
    lines: [
      line('setup', 'register muniment in a client: claude-code'),
      line('mcp', 'serve the stack to an MCP client over stdio'),
      line('hook', 'what a client calls: prompt, tool, start, compact, end'),
    ],
  },
  {
    title: 'Help',
    lines: [
      line('help', 'this page, or: muniment help <command>'),
      line('help exit-codes', 'what the program ends with'),
      line('help labels', 'how it tells a person from a program'),
      line('help refs', 'how memories are named'),
    ],
  },
]

export const COMMAND_NAMES: readonly string[] = [
  ...new Set(SECTIONS.flatMap(({ lines }) => lines.map(({ name }) => name.split(' ')[0] ?? ''))),
]

const NAME_WIDTH = 17

const INTRO = `muniment: memory for AI agents that can show its papers.

Usage: muniment <command> [arguments] [--json] [--stack <id>] [--home <dir>]

  muniment note "Deploys fail when the migration runs late"
  muniment belief "Migrations go first" --because "two deploys failed on locks"
  muniment why belief:1a2b3c4d
`

export const overview = (): string =>
  [
    INTRO,
    ...SECTIONS.map(
      ({ title, lines }) =>
        `${title}\n${lines.map(({ name, says }) => `  ${name.padEnd(NAME_WIDTH)}${says}`).join('\n')}\n`,
    ),
  ].join('\n')
