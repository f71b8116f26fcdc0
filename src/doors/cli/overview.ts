interface Line {
  readonly names: readonly string[]
  readonly says: string
}

interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

const line = (names: string, says: string): Line => ({ names: names.split(', '), says })

/**
 * The commands on one screen. A written list, so help loads nothing; a test compares the list with
 * the table of operations.
 */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Begin',
    lines: [
      line('demo, init, config, completion', 'try it; your own; settings; shell'),
      line('adopt', 'bring the memory of other tools'),
    ],
  },
  {
    title: 'Write',
    lines: [
      line('raw, note, episode, captures', 'said, noted, tried; what hooks keep'),
      line('claim, belief, goal, value', 'what is so, --because; what matters'),
      line('drive, relationship, playbook', 'what moves, who is known, what worked'),
      line('summary, epoch, self-narrative', 'stretches of time, and who one is'),
    ],
  },
  {
    title: 'Recall',
    lines: [
      line('ask, subject, line, lines', 'what holds, who says so; all claims'),
      line('search, recall, render, explain', 'memories that speak of something; why'),
      line('load, list, show, stacks, clock', 'to begin with; all; one; stacks; dates'),
      line('stats, overview, withheld', 'at a glance; what is kept back'),
    ],
  },
  {
    title: 'Explain',
    lines: [
      line('why, uncertain, contradictions', 'where from, how changed; what to doubt'),
      line('trace, impact, history, diff', 'what from; what from it; what changed'),
    ],
  },
  {
    title: 'Change',
    lines: [
      line('forget, recover, maintain', 'out of mind, and back; what is due'),
      line('protect, weaken, access, use', 'how readily it comes to mind; playbooks'),
      line('verify, reinforce, describe', 'confirm it; confidence, tags'),
      line('supersede, erase, readmit', 'replace; destroy; let words back in'),
      line('update-goal', 'complete, pause or drop a goal'),
      line('end, retract, reopen, recast', 'claims: over, back, undone, one or many'),
    ],
  },
  {
    title: 'Decide',
    lines: [
      line('review, adjudicate, unlink', 'what waits; a contest; a wrong link'),
      line('trust, distrust, ungrounded', 'how far to trust; what lost all'),
      line('process, promote, components', 'suggestions; who works on them'),
      line('begin, conclude, anxiety, state', 'epochs; how the memory does'),
    ],
  },
  {
    title: 'Keep',
    lines: [
      line('audit, check, doctor, rebuild', 'is it as written; a paper; is all well'),
      line('checkpoint, prove, certificate', 'heads, receipts, proof of erasure'),
      line('entries, replay, consistency', 'the ledger; decide again; proofs'),
      line('prov, policy, receipts, heads', 'PROV; rules; what was served, signed'),
      line('dump, export, import, vacuum', 'to and from files; room in a file'),
      line('backup, restore, move, migrate', 'a whole stack: out, back, elsewhere'),
    ],
  },
  {
    title: 'Agents',
    lines: [line('setup, serve, mcp, hook, token', 'register in a client; what it calls')],
  },
]

/** Pages of help, named on the last line. */
const PAGES = ['<command>', 'exit-codes', 'labels', 'refs', 'settings', 'environment'] as const

export const COMMAND_NAMES: readonly string[] = [
  ...SECTIONS.flatMap(({ lines }) => lines.flatMap(({ names }) => names)),
  'help',
]

const INTRO = `muniment: memory for AI agents that can show its papers.

Usage: muniment <command> [arguments] [--json] [--stack <id>] [--home <dir>]

  muniment belief "Migrations go first" --because "two deploys failed on locks"
`

const TITLE_WIDTH = 9
const NAMES_WIDTH = 32

const sectionText = ({ title, lines }: Section): string =>
  lines
    .map(({ names, says }, index) => {
      const head = (index === 0 ? title : '').padEnd(TITLE_WIDTH)
      return `${head}${names.join(', ').padEnd(NAMES_WIDTH)}${says}`
    })
    .join('\n')

export const overview = (): string =>
  `${INTRO}\n${SECTIONS.map(sectionText).join('\n')}\n\nHelp: muniment help ${PAGES.join(', ')}\n`
