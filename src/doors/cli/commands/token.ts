import { isTier, type Tier, USES } from '../../../domain/doors.ts'
import { ScopeError } from '../../../domain/errors.ts'
import { parseStackId } from '../../../domain/ids.ts'
import { LABEL_NAMES, type LabelName } from '../../../domain/labels.ts'
import { toInstant } from '../../../domain/time.ts'
import { table } from '../../../operations/text/table.ts'
import { age, oneLine } from '../../../operations/text/words.ts'
import { logToken } from '../../access/token-log.ts'
import {
  createToken,
  isExpired,
  isPersons,
  PERSONAL,
  readTokens,
  revokeToken,
  type TokenRow,
  type TokenScope,
  tokensFile,
} from '../../access/tokens.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, CommandInput, Option } from '../spec/command.ts'

const ACTS = ['create', 'list', 'revoke'] as const
const NAME = /^[\w.@-]{1,64}$/

const option = (
  field: string,
  { help, many = false, reading = { type: 'text' } }: Pick<Option, 'help'> & Partial<Option>,
): Option => ({ field, flag: field, aliases: [], reading, many, group: 'body', help })

/** A token identifies a person without a terminal, or gives a program limited rights. */
export const token: Command = {
  name: 'token',
  group: 'trust',
  summary: 'Tokens for programs, or for yourself: create, list, revoke.',
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
  options: [
    option('labels', {
      help: 'Under which it may write; a person’s own unless given.',
      reading: { type: 'choice', of: LABEL_NAMES },
      many: true,
    }),
    option('tier', {
      help: 'The highest trust tier it carries in, 0 to 3.',
      reading: { type: 'number' },
    }),
    option('for', {
      help: 'What its bearer reads for, at least: chat, plan or act. The server’s own unless given.',
      reading: { type: 'choice', of: USES },
    }),
    option('ttl', { help: 'How long it lives: 90m, 12h, 30d. For good unless given.' }),
  ],
  examples: [
    'muniment trust token create laptop',
    'muniment trust token create agent --stack work --labels ModelDerived --ttl 30d',
    'muniment trust token list',
    'muniment trust token revoke laptop',
  ],
  notes: [
    'A token is made only in a person’s terminal and shown once; its SHA-256 is all that is kept.',
    'With --stack it opens that stack alone. What it means and what not: muniment help labels',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { act = 'list' } = input
    const name = typeof input.name === 'string' ? input.name : undefined
    if (act === 'list') return list(session)
    if (act === 'create') return create(session, name ?? 'personal', scopeOf(session, input))
    if (name === undefined) throw usageError('Which token?', 'muniment trust token revoke <name>')
    return revoke(session, name)
  },
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const TTL = /^([1-9]\d{0,5})([mhd])$/

/** The requested scope; omitted parts default to a person's. */
function scopeOf(
  session: Session,
  { labels, tier, ttl, for: use }: CommandInput['input'],
): TokenScope {
  if (tier !== undefined && !isTier(tier)) {
    throw usageError('A tier is 0, 1, 2 or 3.', 'muniment help labels')
  }
  const [, count, unit] = TTL.exec(String(ttl ?? '')) ?? []
  if (ttl !== undefined && unit === undefined) {
    throw usageError('A time to live is a number of minutes, hours or days.', '--ttl 30d')
  }
  const livesMs = unit === undefined ? null : Number(count) * (UNITS_MS[unit] ?? 0)
  return {
    stacks: session.stackGiven === null ? null : [parseStackId(session.stackGiven)],
    labels: (labels as readonly LabelName[] | undefined) ?? PERSONAL.labels, // parsed as choices
    tier: (tier as Tier | undefined) ?? PERSONAL.tier, // checked above
    use: USES.find((each) => each === use) ?? null,
    expiresAt: livesMs === null ? null : toInstant(session.host.now() + livesMs),
  }
}

/** Refuses tokens and programs: otherwise a token could make further tokens. */
async function create(session: Session, name: string, scope: TokenScope): Promise<Answer> {
  const { because, person } = session.whoWithout()
  if (!person) {
    throw new ScopeError(`A token is made in a person’s terminal, and this is none: ${because}.`, {
      hint: `Open a terminal of your own and type: muniment trust token create ${NAME.test(name) ? name : ''}`,
    })
  }
  if (!NAME.test(name)) {
    throw usageError(
      'A token’s name is 1 to 64 letters, digits, dots, dashes or underscores.',
      'muniment trust token create laptop',
    )
  }
  const createdAt = toInstant(session.host.now())
  const made = await createToken(session.home, { name, createdAt, ...scope })
  const { row } = made
  try {
    await logToken(session.home, row, session.host.stdin.terminalName())
  } catch (error) {
    await revokeToken(session.home, row.id)
    throw error
  }
  return {
    json: { ...shown(row), token: made.token },
    text: ({ ink }) => [
      ink.strong(made.token),
      '',
      `This is the token “${name}”, shown once and kept nowhere. ${whoIs(row)}:`,
      '  MUNIMENT_TOKEN=mun_… muniment note "…"',
      '  curl -H "Authorization: Bearer mun_…" …',
      ...(isPersons(row) ? ['Do not export it in a shell that an agent uses.'] : []),
    ],
    exit: EXIT.ok,
  }
}

const whoIs = (row: TokenRow): string =>
  isPersons(row) ? 'Whoever shows it is you' : `Whoever shows it writes as ${reachOf(row)}`

const reachOf = ({ labels, tier }: TokenScope): string => `${labels.join(', ')}, tier ${tier}`

async function list(session: Session): Promise<Answer> {
  const rows = await readTokens(session.home)
  const time = session.host.now()
  return {
    json: rows.map(shown),
    text: ({ now }) =>
      rows.length === 0
        ? ['There are no tokens. In a terminal: muniment trust token create laptop']
        : table(
            rows.map((row) => [
              { text: row.id },
              { text: oneLine(row.name) },
              { text: `made ${age(row.createdAt, now)}` },
              { text: row.stacks === null ? 'every stack' : row.stacks.join(', ') },
              { text: isPersons(row) ? 'you' : reachOf(row) },
              { text: endOf(row, time) },
            ]),
          ),
    exit: EXIT.ok,
  }
}

function endOf(row: TokenRow, now: number): string {
  if (row.expiresAt === null) return ''
  return isExpired(row, now) ? 'has expired' : `until ${row.expiresAt.slice(0, 16)}`
}

/** Open to all callers: removing a right needs no right. */
async function revoke(session: Session, which: string): Promise<Answer> {
  const row = await revokeToken(session.home, which)
  return {
    json: { revoked: shown(row) },
    text: () => [`Revoked “${row.name}”. ${tokensFile(session.home)} does not know it any more.`],
    exit: EXIT.ok,
  }
}

const shown = ({ sha256: _, ...row }: TokenRow) => row
