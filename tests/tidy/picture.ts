import { allows, ENTRIES, ROOMS, type Room } from './rooms.ts'

/** The facade is a single file, and the picture shows it like a room. */
const FACADE = 'stack.ts'
const BEGIN = '<!-- picture: generated -->'
const END = '<!-- picture: end -->'

const topOf = (room: string): string => (room === 'facade' ? FACADE : (room.split('/')[0] ?? room))

/** Rooms of the first level, each with the rooms that it may import and no room in between may. */
function edges(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = [...Object.keys(ROOMS), 'facade']
  const direct = new Map<string, Set<string>>()
  const note = (from: string, { rooms }: Room): void => {
    const targets = direct.get(from) ?? new Set<string>()
    for (const allowed of rooms) {
      for (const to of names.filter((name) => allows(allowed, name))) {
        if (topOf(to) !== from) targets.add(topOf(to))
      }
    }
    direct.set(from, targets)
  }
  for (const [name, room] of Object.entries(ROOMS)) note(topOf(name), room)
  const facade = ENTRIES['src/stack.ts']
  if (facade) note(FACADE, facade)
  direct.delete('testing') // may import everything, and nothing of the product imports it
  return new Map([...direct].map(([from, targets]) => [from, nearest(from, targets, direct)]))
}

/** Targets that no other target leads to. */
function nearest(
  from: string,
  targets: ReadonlySet<string>,
  direct: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reaches = (start: string, goal: string, seen: Set<string>): boolean => {
    if (seen.has(start)) return false
    seen.add(start)
    const next = direct.get(start) ?? new Set()
    return next.has(goal) || [...next].some((each) => reaches(each, goal, seen))
  }
  const others = (to: string) => [...targets].filter((each) => each !== to)
  return new Set(
    [...targets].filter(
      (to) => direct.has(to) && !others(to).some((each) => reaches(each, to, new Set([from]))),
    ),
  )
}

/** The table of rooms as a drawing and as a list, for docs/architecture.md. */
export function picture(): string {
  const drawn = [...edges()].flatMap(([from, targets]) =>
    [...targets].map((to) => `  ${idOf(from)}["${from}"] --> ${idOf(to)}["${to}"]`),
  )
  const rows = Object.entries(ROOMS)
    .filter(([, { owns }]) => owns !== '')
    .map(([name, { owns }]) => `| ${name} | ${owns} |`)
  return [
    BEGIN,
    '',
    '```mermaid',
    'flowchart TD',
    ...drawn,
    '```',
    '',
    '| room | owns |',
    '|---|---|',
    ...rows,
    '',
    END,
  ].join('\n')
}

const idOf = (room: string): string => room.replaceAll(/\W/g, '_')

/** A page with the picture drawn anew; null where the page has no place for the picture. */
export function withPicture(page: string): string | null {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) return null
  return page.slice(0, from) + picture() + page.slice(to + END.length)
}
