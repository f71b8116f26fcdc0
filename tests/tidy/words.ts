import ts from 'typescript'
import type { SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'
import { ROOMS, roomOf } from './rooms.ts'

export const VAGUE_SHARE_MAX = 0.06

const OPENING = /^(What|Who|Whom|Whose|Where|Whether|How|Which|The same|Whatever|Whoever|So that)\b/
const VAGUE =
  /\b(it|its|what|who|whom|whose|one|that|those|these|somebody|someone|something|anybody|anything|such)\b/gi
const WORD = /[A-Za-z][A-Za-z’'-]*/g
/** Participles and roles that say nothing of the thing they name. */
const BARE_NAMES = new Set([
  'Asked',
  'Told',
  'Known',
  'Held',
  'Found',
  'Made',
  'Given',
  'Beside',
  'Besides',
  'Wish',
  'Strangers',
  'Overtaken',
  'Tide',
  'Stay',
  'Crowd',
  'Knock',
  'Bending',
])
const GERUND_FILE =
  /\/(?!keyring|setting|rewording|stating|standing|embedding|forgetting|meaning|feeling|string)[a-z]+ing(-[a-z]+)*\.tsx?$/

interface Comment {
  readonly line: number
  readonly text: string
}

/** The comments of a file, each as one text without its signs. */
export function commentsOf({ path, text }: SourceText): readonly Comment[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const ranges = new Map<number, ts.CommentRange>()
  const note = (found: readonly ts.CommentRange[] | undefined): void => {
    for (const range of found ?? []) ranges.set(range.pos, range)
  }
  const visit = (node: ts.Node): void => {
    note(ts.getLeadingCommentRanges(text, node.getFullStart()))
    note(ts.getTrailingCommentRanges(text, node.getEnd()))
    for (const child of node.getChildren(file)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child)
  }
  visit(file)
  const comments: (Comment & { readonly lastLine: number })[] = []
  for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const line = file.getLineAndCharacterOfPosition(pos).line + 1
    const plain = text
      .slice(pos, end)
      .replace(/^\/\*+|\*\/$|^\/\//g, '')
      .replace(/\n\s*\*/g, '\n')
      .trim()
    const before = comments.at(-1)
    const isAlone = /(^|\n)[ \t]*$/.test(text.slice(0, pos))
    const goesOn = isAlone && kind === ts.SyntaxKind.SingleLineCommentTrivia
    if (goesOn && before?.lastLine === line - 1) {
      comments[comments.length - 1] = {
        ...before,
        text: `${before.text}\n${plain}`,
        lastLine: line,
      }
    } else comments.push({ line, text: plain, lastLine: goesOn ? line : -2 })
  }
  return comments.map(({ line, text: plain }) => ({ line, text: plain }))
}

/** Vague words among all words of the comments of a room. */
export function vagueShare(files: readonly SourceText[]): number {
  const text = files.flatMap((file) => commentsOf(file).map((comment) => comment.text)).join('\n')
  const words = text.match(WORD)?.length ?? 0
  return words === 0 ? 0 : (text.match(VAGUE)?.length ?? 0) / words
}

/** Openings, bare names and gerund file names in rooms that are plain. */
export function checkWords(
  files: readonly SourceText[],
  plain: readonly string[] = Object.keys(ROOMS),
): readonly Finding[] {
  const inRooms = files.filter(
    ({ path }) => !path.endsWith('.test.ts') && plain.includes(roomOf(path) ?? ''),
  )
  return inRooms.flatMap((file) => [
    ...commentsOf(file)
      .filter(({ text }) => OPENING.test(text))
      .map(({ line, text }) => ({
        path: file.path,
        line,
        message: `a comment opens with “${OPENING.exec(text)?.[0]}”: begin with the subject`,
      })),
    ...[...file.text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)]
      .filter(([, name = '']) => BARE_NAMES.has(name))
      .map(([, name]) => ({
        path: file.path,
        line: 1,
        message: `the type ${name} is named by a participle: name the thing`,
      })),
    ...(GERUND_FILE.test(file.path)
      ? [{ path: file.path, line: 1, message: 'named by a gerund: name the noun that it exports' }]
      : []),
  ])
}

/** Rooms that are plain and yet hold too many vague words. */
export function checkVagueness(
  files: readonly SourceText[],
  plain: readonly string[] = Object.keys(ROOMS),
): readonly Finding[] {
  return plain.flatMap((room) => {
    const own = files.filter(({ path }) => roomOf(path) === room && !path.endsWith('.test.ts'))
    const share = vagueShare(own)
    if (share <= VAGUE_SHARE_MAX) return []
    const percent = (share * 100).toFixed(1)
    return [
      { path: `src/${room}`, line: 1, message: `${percent} % of its comments’ words are vague` },
    ]
  })
}
