/** Rows whose bar the product does not meet yet, by cause; each has the count seen today. */
interface OpenRows {
  readonly seen: string
  readonly rows: Readonly<Record<string, number>>
}

const OPEN_ROWS: readonly OpenRows[] = [
  {
    seen: 'Words of tier 1 that say the opposite stand before the person’s answer.',
    rows: {
      'five pages by WebSearch, hook, chat': 8,
      'five pages by WebSearch, hook, plan': 8,
      'one page by curl, hook, chat': 5,
      'one page by curl, hook, plan': 5,
      'five pages by WebFetch, hook, chat': 3,
      'five pages by WebFetch, hook, plan': 3,
      'a sub-agent, hook, chat': 4,
      'a sub-agent, hook, plan': 4,
      'five notes in one session, library, chat': 12,
      'five notes in one session, library, plan': 12,
      'five notes in five sessions, library, chat': 4,
      'five notes in five sessions, library, plan': 4,
      'a successful experience, library, chat': 2,
      'a successful experience, library, plan': 2,
      'five notes in one session, cli, chat': 12,
      'five notes in one session, cli, plan': 12,
      'five notes in five sessions, cli, chat': 4,
      'five notes in five sessions, cli, plan': 4,
      'a successful experience, cli, chat': 2,
      'a successful experience, cli, plan': 2,
      'five notes in one session, mcp, chat': 3,
      'five notes in one session, mcp, plan': 3,
      'five notes in five sessions, mcp, chat': 3,
      'five notes in five sessions, mcp, plan': 3,
      'five notes in one session, http, chat': 4,
      'five notes in one session, http, plan': 4,
      'five notes in five sessions, http, chat': 3,
      'five notes in five sessions, http, plan': 3,
      'a file of a stranger, imported, cli, chat': 12,
      'a file of a stranger, imported, cli, plan': 12,
      'PoisonedRAG, five pages by WebSearch, hook, chat': 22,
      'PoisonedRAG, five pages by WebSearch, hook, plan': 22,
      'PoisonedRAG, five notes in one session, library, chat': 69,
      'PoisonedRAG, five notes in one session, library, plan': 69,
      'MemoryGraft, experiences, library, chat': 2,
      'MemoryGraft, experiences, library, plan': 2,
    },
  },
  {
    seen: 'Five notes of one session push the person’s answer out of the first five.',
    rows: {
      'five notes in one session: the person’s answer, library, chat': 7,
      'five notes in one session: the person’s answer, library, plan': 7,
      'five notes in one session: the person’s answer, cli, chat': 8,
      'five notes in one session: the person’s answer, cli, plan': 8,
      'a file of a stranger, imported: the person’s answer, cli, chat': 7,
      'a file of a stranger, imported: the person’s answer, cli, plan': 7,
      'PoisonedRAG, five notes in one session: the person’s answer, library, chat': 41,
      'PoisonedRAG, five notes in one session: the person’s answer, library, plan': 41,
    },
  },
  {
    seen: 'Each rewording has a place of its own.',
    rows: {
      'a lie reworded, cli, plan': 41,
      'a lie reworded as claims, library, plan': 42,
      'a lie reworded as claims, mcp, plan': 26,
    },
  },
  {
    seen: 'Surplus repeats are set aside as a second row.',
    rows: {
      'a lie repeated word for word: rows, library, plan': 2,
    },
  },
]

export interface OpenMark {
  readonly seen: string
  readonly bad: number
}

/** Marks by the title of their row. A mark must go once the bar is met; the suite fails otherwise. */
export const OPEN: ReadonlyMap<string, OpenMark> = new Map(
  OPEN_ROWS.flatMap(({ seen, rows }) =>
    Object.entries(rows).map(([title, bad]) => [title, { seen, bad }] as const),
  ),
)
