import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blame } from '../../src/adopt/blame.ts'
import { FileHistory } from '../../src/adopt/file-history.ts'
import { keepChanges, watchedAt, watchPlace } from '../../src/adopt/watch.ts'
import { redacted } from '../../src/domain/words/secrets.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { freshStack, KEY, lay, PERSON } from './support/scene.ts'

/** A project with a memory file, kept by a person’s own commands. */
function project(text: string) {
  const [folder, stacks] = [scratch(), scratch()]
  const file = path.join(folder, 'CLAUDE.md')
  writeFileSync(file, text)
  const desk = new Desk(stacks)
  const options = { folder, env: { HOME: folder } }
  const person = (args: readonly string[]) => desk.person(args, options)
  const program = (args: readonly string[], stdin = '') => desk.call(args, { ...options, stdin })
  const write = (words: string) => writeFileSync(file, words)
  const keep = (who?: string) =>
    person(['adopt', 'CLAUDE.md', '--watch', '--once', ...(who === undefined ? [] : ['--by', who])])
  const blamed = async () => {
    const { lines } = (await person(['blame', 'CLAUDE.md', '--json'])).json() as {
      lines: { text: string; who: string | null; version: number | null; from: string | null }[]
    }
    return lines
  }
  return { folder, file, person, program, write, keep, blamed }
}

describe('a file edited by three tools', () => {
  test('blame names the tool behind each line, and says where nobody said', async () => {
    const { file, program, write, keep, blamed, person } = project('# Rules\n\nBe brief.\n')
    await keep('ann')
    write('# Rules\n\nBe brief.\nUse tabs.\n')
    await keep('cursor')
    write('# Rules\n\nBe brief.\nUse tabs.\nRun the tests.\n')
    const edit = {
      session_id: 'session-7',
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: {
        file_path: file,
        old_string: 'Use tabs.',
        new_string: 'Use tabs.\nRun the tests.',
      },
      tool_response: { filePath: file },
    }
    expect(await program(['hook', 'tool'], JSON.stringify(edit))).toMatchObject({ code: 0 })
    await keep()
    write('# Rules\n\nBe brief!\nUse tabs.\nRun the tests.\nObey me.\n')
    rmSync(file)
    write('# Rules\n\nBe brief!\nUse tabs.\nRun the tests.\nObey me.\n')
    const lines = await blamed()
    expect(lines.map(({ text, version }) => [text, version])).toEqual([
      ['# Rules', 1],
      ['', 1],
      ['Be brief!', null],
      ['Use tabs.', 2],
      ['Run the tests.', 3],
      ['Obey me.', null],
    ])
    expect(lines[0]?.who).toBe('ann')
    expect(lines[3]?.who).toBe('cursor')
    expect(lines[4]).toMatchObject({ from: 'Edit, session session-7' })
    expect(lines[4]?.who).not.toBeNull()
    const page = (await person(['blame', 'CLAUDE.md'])).out
    expect(page).toMatch(/^2 {2}raw:\S+ {2}\S+ {2}cursor\s+4 {2}Use tabs\.$/m)
    expect(page).toMatch(/^now\s+6 {2}Obey me\.$/m)
  })

  test('a file with thousands of changed lines is kept whole, and every line is new', async () => {
    const text = (word: string) =>
      Array.from({ length: 16_000 }, (_, line) => `${word} ${line}\n`).join('')
    const { write, keep, blamed, person } = project(text('old'))
    await keep('ann')
    write(text('new'))
    expect((await keep('bob')).out).toContain('+new 0')
    write(`${text('new')}last\n`)
    await keep('cem')
    const lines = await blamed()
    expect(lines).toHaveLength(16_001)
    expect(lines[0]).toMatchObject({ text: 'new 0', version: 2 })
    expect(lines.at(-1)).toMatchObject({ text: 'last', version: 3 })
    await person(['adopt', '--put-back', 'CLAUDE.md', '--version', '1'])
    expect((await blamed())[0]?.text).toBe('old 0')
  })

  test('a file with secrets is not overwritten, as no version has them', async () => {
    const { file, write, keep, person } = project('One\n')
    await keep('ann')
    const secret = `Use ghp_${'a1B2'.repeat(9)} now.\n`
    write(secret)
    expect(await person(['adopt', '--put-back', 'CLAUDE.md', '--version', '1'])).toMatchObject({
      code: 1,
    })
    expect(readFileSync(file, 'utf8')).toBe(secret)
  })

  test('the command to put back is safe to copy', async () => {
    const { folder, person } = project('One\n')
    const name = 'n;touch PWN.md'
    const look = () => person(['adopt', name, '--watch', '--once'])
    lay(folder, { [name]: 'One\n' })
    await look()
    lay(folder, { [name]: 'Two\n' })
    expect((await look()).out).toMatch(/--put-back '\S+n;touch PWN\.md'/)
  })

  test('shows changed lines that look like the names of a difference', async () => {
    const { write, keep } = project('One\n-- two\n')
    await keep('ann')
    write('One\n++ obey\n')
    const { out } = await keep('bob')
    expect(out).toContain('--- two')
    expect(out).toContain('+++ obey')
    expect(out).not.toContain('+++ /')
  })

  test('a report of an edit names nobody for a later change, a deletion or an older file', async () => {
    const { file, program, write, keep, blamed } = project('One\n')
    await keep('ann')
    write('One\nTwo\n')
    const tool = { tool_name: 'Edit', tool_input: { file_path: file }, tool_response: {} }
    const edit = { session_id: 's', hook_event_name: 'PostToolUse', ...tool }
    await program(['hook', 'tool'], JSON.stringify(edit))
    expect((await keep()).out).toContain('(Edit, session s)')
    write('One\nTwo\nThree\n')
    expect((await keep()).out).toContain('version 3, by an unknown program')
    write('One\nTwo\nThree\nFour\n')
    utimesSync(file, new Date(), new Date(Date.now() - 3_000))
    expect((await keep()).out).toContain('version 4, by an unknown program')
    await program(['hook', 'tool'], JSON.stringify(edit)) // late, of a version kept before
    await new Promise((resolve) => setTimeout(resolve, 20))
    write('One\nTwo\nThree\nFour\nFive\n')
    expect((await keep()).out).toContain('version 5, by an unknown program')
    rmSync(file)
    expect((await keep()).out).toContain('deleted, version 6, by an unknown program')
    write('One\nTwo\nThree\nFour\n')
    await keep()
    expect((await blamed()).map(({ version }) => version)).toEqual([1, 2, 3, 4])
  })

  test('a kept edit shows its difference, cites the file, and stands at tier 1', async () => {
    const { file, write, keep, person } = project('One\n')
    await keep()
    write('One\nTwo\n')
    const said = await keep()
    expect(said.out).toContain('changed, version 2, by an unknown program')
    expect(said.out).toContain('+Two')
    expect((await keep()).out).toContain('Nothing changed')
    const [newest] = (await person(['list', 'raw', '--json'])).json() as {
      tier: number
      provenance: { document: string }
    }[]
    expect(newest).toMatchObject({ tier: 1, provenance: { document: `${file}, version 2` } })
  })
})

describe('putting back', () => {
  test('undoes a rewrite and a deletion, and loses nothing on the way', async () => {
    const { file, write, keep, person, program } = project('Mine\n')
    await keep()
    write('Theirs\n')
    expect(await program(['adopt', '--put-back', 'CLAUDE.md'])).toMatchObject({ code: 1 })
    expect(await person(['adopt', '--put-back', 'CLAUDE.md'])).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('Mine\n')
    rmSync(file)
    const gone = await keep()
    expect(gone.out).toContain('deleted, version 4')
    await person(['adopt', '--put-back', 'CLAUDE.md'])
    expect(readFileSync(file, 'utf8')).toBe('Mine\n')
    // The rewrite was kept before it was undone, so it can come back too.
    await person(['adopt', '--put-back', 'CLAUDE.md', '--version', '2'])
    expect(readFileSync(file, 'utf8')).toBe('Theirs\n')
  })

  test('refuses a version whose secrets were left out, and a link in the file’s place', async () => {
    const { folder, file, write, keep, person } = project(`Key: ghp_${'a1B2'.repeat(9)}\n`)
    await keep()
    write('No key\n')
    await keep()
    expect(await person(['adopt', '--put-back', 'CLAUDE.md'])).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toBe('No key\n')
    write('Third\n')
    await keep()
    lay(folder, { 'other.txt': 'untouched' })
    rmSync(file)
    symlinkSync(path.join(folder, 'other.txt'), file)
    const refused = await person(['adopt', '--put-back', 'CLAUDE.md', '--version', '2'])
    expect(refused).toMatchObject({ code: 1 })
    expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe('untouched')
    rmSync(file)
    write('x'.repeat(500_000)) // too large to be kept, so it would be lost
    expect(await person(['adopt', '--put-back', 'CLAUDE.md', '--version', '2'])).toMatchObject({
      code: 1,
    })
    expect(readFileSync(file, 'utf8')).toHaveLength(500_000)
  })
})

test('a file that cannot be kept is named, and the other files of the folder are kept', async () => {
  const { folder, person } = project('Mine\n')
  lay(folder, { 'large.md': 'x'.repeat(500_000), 'huge.md': 'x'.repeat(17_000_000) })
  writeFileSync(path.join(folder, 'bytes.md'), Buffer.from([0x23, 0xff]))
  const said = await person(['adopt', '.', '--watch', '--once', '--json'])
  expect(said).toMatchObject({ code: 1 })
  const { versions, problems } = said.json() as { versions: unknown[]; problems: string[] }
  expect(versions).toHaveLength(1)
  expect(problems.map((problem) => path.basename(problem.split(':')[0] ?? ''))).toEqual([
    'bytes.md',
    'huge.md',
    'large.md',
  ])
})

const KEEP = { key: KEY, redact: redacted, by: PERSON, who: null, nowMs: Date.UTC(2026, 0, 1) }

describe('a watch', () => {
  test('sees edits, new files and deletions in a folder as they happen', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    lay(folder, { 'memory/a.md': 'first\n' })
    const watched = await watchedAt(path.join(folder, 'memory'))
    let known: ReadonlySet<string> = new Set()
    const kept: string[] = []
    const look = async (): Promise<void> => {
      const found = await keepChanges(stack, watched, known, KEEP)
      known = found.seen
      for (const { path: at, version } of found.kept) {
        kept.push(`${path.basename(at)} ${version.number}${version.isGone ? ' gone' : ''}`)
      }
    }
    await look()
    const end = new AbortController()
    const watching = watchPlace(watched, look, end.signal)
    const until = async (line: string): Promise<void> => {
      for (let tries = 0; tries < 200 && !kept.includes(line); tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(kept).toContain(line)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    writeFileSync(path.join(folder, 'memory', 'a.md'), 'first\nsecond\n')
    await until('a.md 2')
    lay(folder, { 'memory/b.md': 'new\n', 'memory/data.bin': 'no memory' })
    await until('b.md 1')
    rmSync(path.join(folder, 'memory', 'a.md'))
    await until('a.md 3 gone')
    end.abort()
    await watching
    expect(kept).toEqual(['a.md 1', 'a.md 2', 'b.md 1', 'a.md 3 gone'])
  }, 30_000)

  test('any run of edits is kept so that every version can be read again', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .filter((each) => each.isWellFormed())
    const lines = fc.array(fc.oneof(text, fc.constantFrom('same', '', 'a\r')), { maxLength: 8 })
    const state = fc.option(
      lines.map((each) => each.join('\n')),
      { freq: 5, nil: null },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 6 }), async (states) => {
        const stack = await freshStack()
        const history = new FileHistory(stack, { ...KEEP, path: '/notes/file.md' })
        const expected: (string | null)[] = []
        for (const [index, each] of states.entries()) {
          const before = expected.length === 0 ? null : expected.at(-1)
          const editor = async () => ({ who: `w${index}`, from: null })
          const made = await history.keep({ text: each, changedMs: index, editor })
          if (each === before) expect(made).toBeNull()
          else expected.push(each)
        }
        const versions = await history.versions()
        expect(versions.map((version) => (version.isGone ? null : version.text))).toEqual(expected)
        const now = expected.at(-1) ?? ''
        for (const { text: line, version } of blame(versions, now)) {
          expect(version, JSON.stringify(line)).not.toBeNull()
          expect(version?.text?.split('\n')).toContain(line)
        }
      }),
      { numRuns: 60 },
    )
  })
})
