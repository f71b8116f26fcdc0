import { describe, expect, test } from 'vitest'
import {
  checkInstallScripts,
  checkShipped,
  checkTargets,
  checkVersions,
  entriesOf,
} from './package.ts'

describe('versions', () => {
  test.each(['^1.2.3', '~1.2.3', '1.2', '1.x', '*', 'latest', '>=1.0.0', 'file:../a', ''])(
    'refused wherever they stand: %j',
    (version) => {
      const versions = { a: version }
      expect(checkVersions({ dependencies: versions })).toHaveLength(1)
      expect(checkVersions({ devDependencies: versions })).toHaveLength(1)
      expect(checkVersions({ optionalDependencies: versions })).toHaveLength(1)
      expect(checkVersions({ overrides: versions })).toHaveLength(1)
    },
  )

  test('exact ones are allowed, and a peer may be a range', () => {
    const dependencies = { a: '1.2.3', b: '2.0.0-beta.1' }
    expect(checkVersions({ dependencies, peerDependencies: { c: '>=7' } })).toEqual([])
  })
})

describe('install scripts', () => {
  const lock = (dev: boolean) => ({
    packages: { '': {}, 'node_modules/x/node_modules/@y/z': { dev, hasInstallScript: true } },
  })

  test('of what a user gets are refused, even when allowed here', () => {
    expect(checkInstallScripts({ allowScripts: { '@y/z': true } }, lock(false))).toHaveLength(1)
  })

  test('of what only we use are allowed by name', () => {
    expect(checkInstallScripts({}, lock(true))).toHaveLength(1)
    expect(checkInstallScripts({ allowScripts: { '@y/z': true } }, lock(true))).toEqual([])
  })

  test('of our own are refused', () => {
    expect(checkInstallScripts({ scripts: { postinstall: 'x' } }, { packages: {} })).toHaveLength(1)
    expect(checkInstallScripts({ scripts: { test: 'x' } }, { packages: {} })).toEqual([])
  })
})

describe('targets', () => {
  const pkg = {
    bin: { muniment: './dist/doors/cli/bin.js' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
  }

  test('stand for the sources they are made from', () => {
    expect(entriesOf(pkg)).toEqual(['src/index.ts', 'src/doors/cli/bin.ts'])
  })

  test('are refused when that source is missing', () => {
    expect(checkTargets(pkg, ['src/index.ts', 'src/doors/cli/bin.ts'])).toEqual([])
    expect(checkTargets(pkg, ['src/index.ts'])).toHaveLength(1)
  })

  test('are refused when the build does not make them', () => {
    expect(checkTargets({ exports: { '.': './lib/index.js' } }, [])).toHaveLength(1)
  })
})

describe('shipped code', () => {
  const file = (path: string, specifier: string) => [{ path, text: `import '${specifier}'` }]
  const pkg = {
    dependencies: { zod: '4.0.0' },
    peerDependencies: { pg: '8' },
    devDependencies: { vitest: '5.0.0', '@a/b': '1.0.0' },
  }

  test.each(['vitest', '@a/b/c', 'left-pad'])('may not import %s', (specifier) => {
    expect(checkShipped(pkg, file('src/testing/a.ts', specifier))).toHaveLength(1)
  })

  test.each(['zod', 'zod/mini', 'pg', 'node:fs', './b.ts'])('may import %s', (specifier) => {
    expect(checkShipped(pkg, file('src/testing/a.ts', specifier))).toEqual([])
  })

  test('leaves tests out', () => {
    expect(checkShipped(pkg, file('src/gate/a.test.ts', 'vitest'))).toEqual([])
  })
})
