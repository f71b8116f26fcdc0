import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scratch } from '../cli/support/scratch.ts'
import { Installed, type LoadedFile } from './support/installed.ts'

const BUILD_TIMEOUT_MS = 180_000 // the compiler over the whole library, on a busy machine

let installed: Installed

beforeAll(() => {
  installed = new Installed()
}, BUILD_TIMEOUT_MS)
afterAll(() => installed?.remove())

const PROMPT = JSON.stringify({ session_id: 's', prompt: 'Which trains run on Sundays?' })
const kilobytes = (files: readonly LoadedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000

describe('starting costs files and bytes, and both are few', () => {
  test('for a hook, which a client waits for at every prompt', () => {
    const home = scratch()
    const files = installed.loadedBy(['hook', 'prompt'], { home, stdin: PROMPT })
    expect(files.length).toBeGreaterThan(3)
    expect(files.length).toBeLessThanOrEqual(20)
    expect(kilobytes(files)).toBeLessThan(1_750) // with the MCP server it would be more
    const { out } = installed.muniment(['list', '--kind', 'raw', '--json'], { home })
    expect(out).toContain('Which trains run on Sundays?')
  })

  test('for a version, which needs no engine', () => {
    const files = installed.loadedBy(['--version'], { home: scratch() })
    expect(files.length).toBeLessThanOrEqual(6)
    expect(kilobytes(files)).toBeLessThan(55)
  })

  test('for writing and reading by hand', () => {
    const home = scratch()
    for (const args of [['note', 'The 7:40 runs on weekdays only.'], ['list']]) {
      const files = installed.loadedBy(args, { home })
      expect(files.length).toBeLessThanOrEqual(20)
      expect(kilobytes(files)).toBeLessThan(1_825)
    }
  })

  test('for the library, which loads stores and models when a stack is opened', () => {
    const files = installed.loadedByImport('muniment', { home: scratch() })
    expect(files.length).toBeGreaterThan(3)
    expect(files.length).toBeLessThanOrEqual(25)
    expect(kilobytes(files)).toBeLessThan(1_300)
  })

  test('for checking a receipt, which needs neither zod nor an engine', () => {
    const files = installed.loadedByImport('muniment/verify', { home: scratch() })
    expect(files.map(({ url }) => url).join('\n')).not.toMatch(/zod|schemas|open-stack/)
    expect(kilobytes(files)).toBeLessThan(200)
  })

  test('and every one of them lies in the package', () => {
    const own = pathToFileURL(installed.folder).href
    const files = installed.loadedBy(['mcp'], { home: scratch() })
    expect(files.map(({ url }) => url).filter((url) => !url.startsWith(own))).toEqual([])
  })
})

describe('the program, installed elsewhere,', () => {
  test('says its version', () => {
    const { version } = JSON.parse(installed.read('package.json')) as { version: string }
    expect(installed.muniment(['--version'], { home: scratch() }).out).toBe(`muniment ${version}\n`)
  })

  test('runs the demo to its end', () => {
    const { code, err } = installed.muniment(['demo'], { home: scratch() })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  test('does what the library does: all that it says and asks of a small life', () => {
    const home = scratch()
    const run = (...args: readonly string[]) => installed.muniment([...args], { home })
    const noted = run('note', 'Trains to Oslo leave at noon', '--json')
    const { ref } = JSON.parse(noted.out) as { ref: string }
    expect(run('search', 'trains').out).toContain('leave at noon')
    const commands: readonly (readonly string[])[] = [
      ['claim', 'user', 'city', 'Oslo'],
      ['ask', 'user', 'city'],
      ['claims', 'timeline', 'user', 'city'],
      ['ask', 'user'],
      ['agent', 'load'],
      ['list'],
      ['trust', 'withheld', '--for', 'act'],
      ['show', ref],
      ['why', ref],
      ['why', ref, '--impact'],
      ['claims', 'uncertain'],
      ['claims', 'contradictions', 'No train goes to Oslo'],
      ['review'],
      ['claims', 'ungrounded'],
      ['audit'],
      ['doctor'],
      ['ledger', 'checkpoint'],
      ['ledger', 'prove', ref],
      ['stack', 'dump'],
      ['stack', 'maintain'],
      ['erase', ref],
    ]
    for (const args of commands) {
      const { code, err } = run(...args)
      expect({ args, code, err }).toMatchObject({ code: expect.any(Number) })
      expect(`${args.join(' ')}: ${code} ${err}`).not.toMatch(/: 70 |fault in muniment/)
    }
  })

  test('may be run as it was built, without being linked first', () => {
    expect(installed.mode('dist/doors/cli/bin.js') & 0o111).toBe(0o111)
  })

  test('answers over MCP', () => {
    const clientInfo = { name: 'test', version: '0' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const stdin = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('')
    const { out } = installed.muniment(['mcp'], { home: scratch(), stdin })
    expect(out).toContain('"serverInfo":{"name":"muniment"')
    expect(out).toContain('"name":"memory_search"')
  })

  test('looks at the version of Node before it imports anything', () => {
    const program = installed.read('dist/doors/cli/bin.js')
    expect(program).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(program).not.toMatch(/^(import|export)\b.*\bfrom\b/m)
    const old = `
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })
      delete process.getBuiltinModule
    `
    const node = ['--import', `data:text/javascript,${encodeURIComponent(old)}`]
    const ran = installed.muniment(['list'], { home: scratch(), node })
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toContain('needs Node 22.16 or later; this is Node 20.1.0')
  })

  test('says where a fault is, in words of the source', () => {
    const bundled = installed.files.filter((name) =>
      /^dist\/doors\/cli\/engine-.*\.cjs$/.test(name),
    )
    expect(bundled).toHaveLength(1)
    expect(installed.read(bundled[0] ?? '')).toContain('async function openStack(')
  })
})

describe('what was compiled', () => {
  /** All that Node keeps for `list`, the file of the engine first: it is the largest. */
  const kept = (home: string): readonly string[] =>
    readdirSync(path.join(home, 'cache/list'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted((one, other) => statSync(other).size - statSync(one).size)
  const withStack = (): string => {
    const home = scratch()
    installed.muniment(['note', 'Trains to Oslo leave at noon'], { home })
    return home
  }

  test('is kept by whoever calls it next, for nobody else to read, where a stack lies', () => {
    const home = withStack()
    expect(existsSync(path.join(home, 'cache'))).toBe(false) // nothing lay there when it began
    installed.muniment(['list'], { home })
    const files = kept(home)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(home, 'cache')).mode & 0o777).toBe(0o700)
    const times = files.map((file) => statSync(file).mtimeMs)
    expect(installed.muniment(['list'], { home }).out).toContain('leave at noon')
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(times)
    expect(kept(home)).toEqual(files)
  })

  test('is not run where it was damaged, and is made again', () => {
    const home = withStack()
    installed.muniment(['list'], { home })
    const [file = ''] = kept(home)
    for (const at of [3, 70, 5_000, -5_000, -1]) {
      const bytes = readFileSync(file)
      const index = (at + bytes.length) % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ 0x55
      writeFileSync(file, bytes)
      const { code, out, err } = installed.muniment(['list'], { home })
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('leave at noon')
      expect(readFileSync(file).equals(bytes)).toBe(false)
    }
    writeFileSync(file, 'nothing of the kind')
    expect(installed.muniment(['list'], { home }).code).toBe(0)
    expect(statSync(file).size).toBeGreaterThan(100_000)
  })

  test('of another version goes when the first call of this one is kept', () => {
    const home = withStack()
    const old = path.join(home, 'cache/list/0.0.1/v22/a')
    mkdirSync(path.dirname(old), { recursive: true })
    writeFileSync(old, 'of an older program')
    for (const each of [home, path.join(home, 'cache'), path.join(home, 'cache/list')])
      chmodSync(each, 0o700)
    installed.muniment(['list'], { home })
    expect(existsSync(old)).toBe(false)
    expect(kept(home).length).toBeGreaterThan(3)
  })

  test('is not run where a file of the program was mended since, if only by a letter', () => {
    const home = withStack()
    const call = () => installed.muniment(['list'], { home })
    call()
    const name = installed.files.find((file) => /\/cli\/operation-.*\.cjs$/.test(file)) ?? ''
    const file = path.join(installed.folder, name)
    const [text, stats] = [readFileSync(file, 'utf8'), statSync(file)]
    onTestFinished(() => writeFileSync(file, text))
    const mended = text.replaceAll('a new stack was made for it', 'A NEW STACK WAS MADE FOR IT')
    expect(mended.length).toBe(text.length)
    expect(mended).not.toBe(text)
    const note = (stack: string) =>
      installed.muniment(['note', 'Hm', '--stack', stack], { home }).out
    expect(note('one')).toContain('a new stack was made for it')
    expect(note('two')).toContain('a new stack was made for it') // by what was kept of the first
    writeFileSync(file, mended)
    utimesSync(file, stats.atime, stats.mtime) // as a package manager may leave it
    expect(note('three')).toContain('A NEW STACK WAS MADE FOR IT')
    expect(note('four')).toContain('A NEW STACK WAS MADE FOR IT')
  })

  test.skipIf(process.platform === 'win32')(
    'is neither run nor replaced where others may write, and doctor says so',
    () => {
      const home = withStack()
      const call = (...args: string[]) => installed.muniment(args, { home })
      call('list')
      const [file = ''] = kept(home)
      writeFileSync(file, 'of no use') // so that it is made anew wherever it is looked at
      for (const [open, mode] of [
        [path.join(home, 'cache/list'), 0o770],
        [path.join(home, 'cache'), 0o777],
        [home, 0o702],
      ] as const) {
        chmodSync(open, mode)
        expect(call('list').code).toBe(0)
        expect(readFileSync(file, 'utf8')).toBe('of no use')
        expect(call('doctor').out).toContain(`chmod go-rwx ${open}`)
        chmodSync(open, 0o700)
      }
      call('list')
      expect(statSync(file).size).toBeGreaterThan(100_000)
      const made = statSync(file).mtimeMs
      call('list')
      expect(statSync(file).mtimeMs).toBe(made)
    },
  )

  test('of another V8 is left alone, and a folder that takes nothing stops nobody', () => {
    const home = withStack()
    installed.muniment(['list'], { home })
    const node = ['--no-opt'] // V8 with other options
    expect(installed.muniment(['list'], { home, node })).toMatchObject({ code: 0, err: '' })
    rmSync(path.join(home, 'cache'), { recursive: true })
    writeFileSync(path.join(home, 'cache'), 'a file, where a folder should be')
    expect(installed.muniment(['list'], { home })).toMatchObject({ code: 0, err: '' })
  })
})

describe('long work', () => {
  // Two entries each: long enough to be worth a thread.
  const script = `
    const { openStack, Entity } = await import('muniment')
    await import('muniment/testing')
    const { verifyReceipt } = await import('muniment/verify')
    const stack = await openStack('default')
    const me = new Entity('me')
    await me.attachStack(stack)
    await Promise.all(Array.from({ length: 1_100 }, (_, at) => me.note(\`Train \${at} ran late.\`)))
    const { ok } = await stack.ledger.audit()
    await stack.close()
    console.log(ok, typeof verifyReceipt)
  `
  const threadsIn = (files: readonly LoadedFile[]): readonly string[] =>
    files.map(({ url }) => url).filter((url) => url.endsWith('/worker.cjs'))

  test('finds the thread of the library, and then the one of the program', () => {
    const home = scratch()
    const args = ['--input-type=module', '-e', script]
    expect(installed.node(args, { home })).toEqual({ code: 0, out: 'true function\n', err: '' })
    for (const name of ['audit', 'stack rebuild', 'stack vacuum']) {
      const files = installed.loadedBy(name.split(' '), { home })
      expect(threadsIn(files), name).toEqual([
        expect.stringContaining('/dist/doors/cli/worker.cjs'),
      ])
    }
    expect(threadsIn(installed.loadedBy(['list'], { home }))).toEqual([])
  })
})

describe('what is packed', () => {
  test('is the library with its types, the program, the explorer, and papers', () => {
    const others = installed.files.filter((name) => !/^dist\/.+\.(c?js|d\.ts)$/.test(name))
    const styles = /^dist\/explorer\/assets\/[\w.-]+\.css$/
    const papers = others.filter(
      (name) =>
        !/^docs\/(?:[\w-]+\.md|images\/[\w-]+\.(?:jpg|svg))$/.test(name) && !styles.test(name),
    )
    expect(papers.toSorted()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'SECURITY.md',
      'assets/kinds.bin',
      'assets/words.bin',
      'dist/doors/cli/THIRD-PARTY-NOTICES.txt',
      'dist/explorer/THIRD-PARTY-NOTICES.txt',
      'dist/explorer/index.html',
      'dist/explorer/mark.svg',
      'dist/lib/THIRD-PARTY-NOTICES.txt',
      'package.json',
    ])
    expect(installed.files.filter((name) => name.includes('.test'))).toEqual([])
  })

  test('holds all that its README points to', () => {
    const links = installed.read('README.md').matchAll(/\]\((?!https?:|#)([^)#]+)/g)
    const named = [...links].map(([, file = '']) => file)
    expect(named).toContain('docs/images/memory.jpg')
    expect(named.filter((file) => !installed.files.includes(file))).toEqual([])
  })

  test('holds no second copy of the program, unbundled', () => {
    const doors = installed.files.filter((name) => name.startsWith('dist/doors/'))
    expect(doors.filter((name) => !name.startsWith('dist/doors/cli/'))).toEqual([])
  })

  test('passes on the licence of everything that was bundled, and of what that was made from', () => {
    const notices = installed.read('dist/doors/cli/THIRD-PARTY-NOTICES.txt')
    for (const name of ['zod', '@modelcontextprotocol/server', '@modelcontextprotocol/core', 'ajv'])
      expect(notices).toMatch(new RegExp(`^${name} \\(`, 'm'))
    expect(notices).toContain('Permission is hereby granted, free of charge')
    expect(installed.read('dist/lib/THIRD-PARTY-NOTICES.txt')).toMatch(/^zod \(/m)
    const shown = installed.read('dist/explorer/THIRD-PARTY-NOTICES.txt')
    for (const name of ['preact', 'cytoscape', 'uplot', '@noble/hashes', '@noble/ed25519'])
      expect(shown).toMatch(new RegExp(`^${name} \\(`, 'm'))
  })
})
