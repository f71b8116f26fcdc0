import { describe, expect, test } from 'vitest'
import { FAILING_SEEDS } from '../support/failing-seeds.ts'
import { projectFiles, readProjectFile } from '../support/project-files.ts'
import { checkCycles } from './cycles.ts'
import { checkExports } from './exports.ts'
import { listed } from './finding.ts'
import { checkIdioms } from './idioms.ts'
import { checkImports } from './imports.ts'
import {
  checkInstallScripts,
  checkShipped,
  checkTargets,
  checkVersions,
  entriesOf,
  type LockFile,
  type PackageJson,
} from './package.ts'
import { withPicture } from './picture.ts'
import { checkPlaces } from './places.ts'
import { checkPurity } from './purity.ts'
import { checkFailingSeeds, checkSeeds } from './seeds.ts'
import { checkSize } from './size.ts'
import { checkVagueness, checkWords } from './words.ts'

const files = projectFiles()
const paths = files.map(({ path }) => path)
// Our own files: the checks read fields that npm defines.
const pkg = JSON.parse(readProjectFile('package.json')) as PackageJson
const ARCHITECTURE_LINES_MAX = 120
const lock = JSON.parse(readProjectFile('package-lock.json')) as LockFile

/** Each check is shown to bite in the test beside it; here it looks at the house itself. */
describe('the house is tidy', () => {
  test('there is something to look at', () => {
    expect(paths.filter((path) => path.startsWith('src/')).length).toBeGreaterThan(0)
    expect(Object.keys(lock.packages).length).toBeGreaterThan(1)
  })

  test('every import is one that the table of rooms allows', () => {
    expect(listed(checkImports(files))).toEqual([])
  })

  test('no more than three files import each other, by value or by type', () => {
    expect(listed(checkCycles(files))).toEqual([])
  })

  test('pure rooms touch nothing, and the others take time and chance as values', () => {
    expect(listed(checkPurity(files))).toEqual([])
  })

  test('every seed of a test comes from the one place, and every failing seed has its test', () => {
    expect(listed(checkSeeds(files))).toEqual([])
    expect(listed(checkFailingSeeds(FAILING_SEEDS, files))).toEqual([])
  })

  test('files are short, or argued', () => {
    expect(listed(checkSize(files))).toEqual([])
  })

  test('words are plain: subjects first, few vague words, nouns for files', () => {
    expect(listed(checkWords(files))).toEqual([])
    expect(listed(checkVagueness(files))).toEqual([])
  })

  test('the picture of the architecture is drawn from the table of rooms, on one screen', () => {
    const page = readProjectFile('docs/architecture.md')
    expect(withPicture(page), 'npm run manifest -- --write draws the picture anew').toBe(page)
    expect(page.split('\n').length).toBeLessThanOrEqual(ARCHITECTURE_LINES_MAX)
  })

  test('no file names a machine, a person or a registry', () => {
    expect(listed(checkPlaces(files))).toEqual([])
  })

  test('no check is switched off without a reason, and nothing is left to do', () => {
    expect(listed(checkIdioms(files))).toEqual([])
  })

  test('exports have names, and only entries of the package are barrels', () => {
    expect(listed(checkExports(files, entriesOf(pkg)))).toEqual([])
  })

  test('versions are exact', () => {
    expect(listed(checkVersions(pkg))).toEqual([])
  })

  test('nothing runs at install', () => {
    expect(listed(checkInstallScripts(pkg, lock))).toEqual([])
  })

  test('every export and bin is made from a source that exists', () => {
    expect(listed(checkTargets(pkg, paths))).toEqual([])
  })

  test('shipped code imports only what its user gets', () => {
    expect(listed(checkShipped(pkg, files))).toEqual([])
  })
})
