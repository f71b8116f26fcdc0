import { z } from 'zod'
import { type Caller, stricterUse, type Use } from '../domain/doors.ts'
import { MunimentError, once } from '../domain/errors.ts'
import { isKind, KINDS, type RecordKind } from '../domain/ids.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import type { Withheld } from '../engine/read/use-gate.ts'
import { typedAs } from './command-groups.ts'
import { type DoorContext, given, readerOf } from './context.ts'
import { filters, kind, limitOf, use } from './fields.ts'
import { defineOperation, type Lines, type TextContext } from './operation.ts'
import * as shape from './shapes.ts'
import { memoryTable } from './text/memory.ts'
import type { Page } from './text/page.ts'
import { plural, shortRef } from './text/words.ts'

/** Filters of a list. */
const listing = () => ({
  type: z.string().optional().describe('Only this sort, e.g. decision among notes.'),
  status: z.string().optional().describe('Only what stands like this, e.g. active.'),
  tags: z.array(z.string()).optional().describe('Only what has this tag, or one of several.'),
  ...filters(),
  saidBy: z.string().optional().describe('Only what this actor said.'),
  since: z.string().optional().describe('Only what was written on this day or later.'),
  until: z.string().optional().describe('Only what was written on this day or before.'),
  for: use(),
  weak: z.boolean().default(false).describe('What hardly comes to mind as well.'),
  all: z
    .boolean()
    .default(false)
    .describe('Everything: also what is forgotten, set aside or captured for another memory.'),
})

const SCREEN = 20 // what fits a screen; the rest is a page away

const listInput = once(() =>
  z.strictObject({
    kind: kind().optional(),
    limit: limitOf(SCREEN),
    after: z.string().optional().describe('Continue after this id; needs a kind.'),
    before: z.int().min(0).optional().describe('Only what was written before this entry.'),
    ...listing(),
  }),
)

type ListInput = z.output<ReturnType<typeof listInput>>

export const list = defineOperation({
  name: 'list',
  group: 'first',
  summary: 'Memories, newest first: of one kind, or the newest of every kind.',
  right: 'read',
  input: listInput,
  output: () => shape.list(shape.memory),
  example: { kind: 'raw' },
  places: ['kind'],
  notes: ['Without a kind: the newest of every kind.'],
  examples: [
    'muniment list note --type decision --tag deploy',
    'muniment list goal --status active',
    'muniment list --all',
  ],
  tool: 'memory',
  run: async (context, input) => {
    const memories = await listed(context, input)
    await context.stack.lookup.noteServed('list', readerOf(context), memories)
    return memories
  },
  text: async (memories, asked) => listPage(memories, asked),
})

export const withheld = defineOperation({
  name: 'withheld',
  group: 'trust',
  summary: 'Memories that a connection may not read: --for plan or act.',
  right: 'read',
  input: () => z.strictObject({ kind: kind().optional(), ...listing() }),
  output: () => shape.withheld,
  example: { kind: 'note', for: 'act' },
  run: (context, input) => withheldFrom(context, input),
  text: (found, { page }) => withheldPage(found, page),
})

/** Lists memories as readers get them: no forgotten or quarantined memories, and no captures. */
async function listed(
  { stack, caller }: Pick<DoorContext, 'stack' | 'caller'>,
  asked: ListInput,
): Promise<readonly Memory[]> {
  const { kind, after, before, limit } = asked
  const ofKind = (each: RecordKind): Promise<readonly Memory[]> =>
    stack.list(each, { ...narrowedBy(asked, caller), ...given({ after, before }), limit })
  if (kind !== undefined) return ofKind(kind)
  if (after !== undefined) {
    throw new MunimentError('invalid_input', 'To continue after a memory, name its kind.', {
      issues: [{ path: 'after', message: 'needs a kind to continue in' }],
    })
  }
  const lists = await Promise.all(KINDS.map(ofKind))
  return lists
    .flat()
    .sort((a, b) => b.entry.seq - a.entry.seq)
    .slice(0, limit)
}

/** The memories withheld from this list for its use. */
const withheldFrom = (
  { stack, caller }: Pick<DoorContext, 'stack' | 'caller'>,
  asked: Omit<ListInput, 'limit' | 'after' | 'before'>,
): Promise<Withheld> =>
  stack.lookup.withheld({
    ...narrowedBy(asked, caller),
    ...(asked.kind === undefined ? {} : { kinds: [asked.kind] }),
  })

const narrowedBy = (
  asked: Omit<ListInput, 'limit' | 'after' | 'before'>,
  { use: least }: Caller,
) => {
  const { all, weak, type, status, tags, context, minConfidence, minTier, for: use } = asked
  const { saidBy, since, until } = asked
  return {
    ...given({
      subtype: type,
      status,
      tags,
      context,
      minConfidence,
      minTier,
      saidBy,
      since,
      until,
      for: boundUse(use, least),
    }),
    withoutCaptures: !all,
    includeWeak: weak,
    includeForgotten: all,
    includeSetAside: all,
  }
}

/** The stricter of the requested use and the connection's own. */
const boundUse = (asked: Use | undefined, least: Use | undefined): Use | undefined =>
  asked === undefined || least === undefined ? (asked ?? least) : stricterUse(asked, least)

function withheldPage({ tierMin, count, refs, hasMore }: Withheld, { ink }: Page) {
  if (tierMin === 0) return ['Every tier is read unless a use is named: --for plan, --for act']
  const [first] = refs
  if (first === undefined) return [`Nothing like that lies below tier ${tierMin}.`]
  const many = `${hasMore ? 'at least ' : ''}${plural(count, 'memory', 'memories')}`
  return [
    `${many} below tier ${tierMin}:`,
    ...refs.map((ref) => `  ${ink.ref(shortRef(ref))}`),
    ink.faint(`next: muniment why ${shortRef(first)}`),
  ]
}

async function listPage(memories: readonly Memory[], { input, page }: TextContext): Promise<Lines> {
  const { kind, limit = SCREEN } = input
  const last = memories.at(-1)
  if (!last) return nothing(input)
  const isFull = kind !== undefined && memories.length === Number(limit)
  const more = `There may be more: muniment list ${kind} --after ${last.id.slice(-8)}`
  return [...memoryTable(memories, page), ...(isFull ? [page.ink.faint(more)] : [])]
}

async function nothing({ kind, limit: _, ...narrowed }: TextContext['input']): Promise<Lines> {
  if (Object.keys(narrowed).some((field) => field !== 'all')) return ['Nothing here is like that.']
  if (kind === undefined) return ['Nothing is written here yet. Try: muniment note "…"']
  const name = String(kind).replace('_', '-')
  const { writes } = await import('./write.ts')
  const how = isKind(kind)
    ? ` How to write one: muniment help ${typedAs(name, writes[kind].group)}`
    : ''
  return [
    `There is no ${name.replace('-', ' ')} to show.${how}`,
    ...(narrowed.all === true
      ? []
      : [`Forgotten, set aside and captured ones too: muniment list ${name} --all`]),
  ]
}
