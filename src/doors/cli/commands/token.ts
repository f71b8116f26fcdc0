import { ScopeError } from '../../../domain/errors.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { table } from '../render/table.ts'
import { age, oneLine } from '../render/words.ts'
import type { Session } from '../session.ts'
import type { Answer, Command } from '../spec/command.ts'
import { createToken, readTokens, revokeToken, type TokenRow, tokensFile } from '../tokens.ts'

const ACTS = ['create', 'list', 'revoke'] as const
const NAME = /^[\w.@-]{1,64}$/

/** A personal token lets a person be a person where there is no terminal. */
export const token: Command = {
  name: 'token',
  summary: 'Personal tokens: whoever shows one is you.',
  positionals: [
    {
      field: 'act',
      reading: { type: 'choice', of: ACTS },
      required: false,
      help: 'Without one, list.',
    },
    {
      field: 'name',
      reading: { type: 'text' },
      required: false,
      help: 'What to call it, or which.',
    },
  ],
  options: [],
  examples: ['muniment token create laptop', 'muniment token list', 'muniment token revoke laptop'],
  notes: [
    'A token is made only in a person’s terminal and shown once; its SHA-256 is all that is kept.',
    'What it means and what it does not protect from: muniment help labels',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { act = 'list' } = input
    const name = typeof input.name === 'string' ? input.name : undefined
    if (act === 'list') return list(session)
    if (act === 'create') return create(session, name ?? 'personal')
    if (name === undefined) throw usageError('Which token?', 'muniment token revoke <name>')
    return revoke(session, name)
  },
}

/** Never by a token or from a program: a token must not be able to have children. */
async function create(session: Session, name: string): Promise<Answer> {
  const { because, person } = session.whoWithout()
  if (!person) {
    throw new ScopeError(`A token is made in a person’s terminal, and this is none: ${because}.`, {
      hint: `Open a terminal of your own and type: muniment token create ${NAME.test(name) ? name : ''}`,
    })
  }
  if (!NAME.test(name)) {
    throw usageError(
      'A token’s name is 1 to 64 letters, digits, dots, dashes or underscores.',
      'muniment token create laptop',
    )
  }
  const createdAt = new Date(session.host.now()).toISOString()
  const made = await createToken(session.home, { name, createdAt })
  return {
    json: { ...shown(made.row), token: made.token },
    text: ({ ink }) => [
      ink.strong(made.token),
      '',
      `This is the token “${name}”, shown once and kept nowhere. Whoever shows it is you:`,
      '  MUNIMENT_TOKEN=mun_… muniment note "…"',
      'Do not export it in a shell that an agent uses.',
    ],
    exit: EXIT.ok,
  }
}

async function list(session: Session): Promise<Answer> {
  const rows = await readTokens(session.home)
  return {
    json: rows.map(shown),
    text: ({ now }) =>
      rows.length === 0
        ? ['There are no tokens. In a terminal: muniment token create laptop']
        : table(
            rows.map(({ id, name, createdAt }) => [
              { text: id },
              { text: oneLine(name) },
              { text: `made ${age(createdAt, now)}` },
            ]),
          ),
    exit: EXIT.ok,
  }
}

/** Anyone may: taking a right away needs none. */
async function revoke(session: Session, which: string): Promise<Answer> {
  const row = await revokeToken(session.home, which)
  return {
    json: { revoked: shown(row) },
    text: () => [`Revoked “${row.name}”. ${tokensFile(session.home)} does not know it any more.`],
    exit: EXIT.ok,
  }
}

const shown = ({ id, name, createdAt }: TokenRow) => ({ id, name, createdAt })
