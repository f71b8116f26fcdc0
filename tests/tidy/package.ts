import { importsOf } from '../support/imports.ts'
import { isTestPath, type SourceText } from '../support/source.ts'
import type { Finding } from './finding.ts'

type Versions = Readonly<Record<string, string>>

/** As much of package.json as the checks read. */
export interface PackageJson {
  readonly bin?: Versions
  readonly exports?: Readonly<Record<string, string | Versions>>
  readonly scripts?: Versions
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly peerDependencies?: Versions
  readonly overrides?: Versions
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

export interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>
  >
}

const finding = (message: string): Finding => ({ path: 'package.json', line: 1, message })

export function checkVersions(pkg: PackageJson): readonly Finding[] {
  const all = [pkg.dependencies, pkg.devDependencies, pkg.optionalDependencies, pkg.overrides]
  return all
    .flatMap((versions) => Object.entries(versions ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => finding(`${name} is ${version}: pin one exact version`))
}

/** Nothing runs on a user's machine at install; what runs on ours is allowed by name. */
export function checkInstallScripts(pkg: PackageJson, lock: LockFile): readonly Finding[] {
  const own = ['preinstall', 'install', 'postinstall']
    .filter((name) => pkg.scripts?.[name] !== undefined)
    .map((name) => finding(`${name} would run when somebody installs muniment`))
  const others = Object.entries(lock.packages)
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript === true)
    .flatMap(([path, { dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (dev !== true) return [finding(`${name} runs an install script on the user's machine`)]
      return pkg.allowScripts?.[name] ? [] : [finding(`${name} is not listed in allowScripts`)]
    })
  return [...own, ...others]
}

/** `./dist/a/b.js` and `./dist/a/b.d.ts` are made from `src/a/b.ts`. */
const sourceOf = (target: string): string =>
  target.replace(/^\.\/dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts')

const targetsOf = (pkg: PackageJson): readonly string[] =>
  [...Object.values(pkg.exports ?? {}), pkg.bin ?? {}].flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )

/** The sources that users can import or run. */
export const entriesOf = (pkg: PackageJson): readonly string[] => [
  ...new Set(
    targetsOf(pkg)
      .filter((target) => target.startsWith('./dist/'))
      .map(sourceOf),
  ),
]

export function checkTargets(pkg: PackageJson, paths: readonly string[]): readonly Finding[] {
  const outside = targetsOf(pkg)
    .filter((target) => !/^\.\/(dist\/.+\.(js|d\.ts)|package\.json)$/.test(target))
    .map((target) => finding(`${target} is not something the build makes`))
  const missing = entriesOf(pkg)
    .filter((source) => !paths.includes(source))
    .map((source) => finding(`an export or bin is made from ${source}, which does not exist`))
  return [...outside, ...missing]
}

/** What shipped code imports, its user must get: a development dependency will not be there. */
export function checkShipped(pkg: PackageJson, files: readonly SourceText[]): readonly Finding[] {
  const shipped = { ...pkg.dependencies, ...pkg.optionalDependencies, ...pkg.peerDependencies }
  return files
    .filter(({ path }) => path.startsWith('src/') && !isTestPath(path))
    .flatMap((file) =>
      importsOf(file).flatMap(({ specifier = '.', line }) => {
        const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
        if (/^(\.|node:)/.test(specifier) || shipped[name] !== undefined) return []
        return [{ path: file.path, line, message: `ships with an import of ${name}, a stranger` }]
      }),
    )
}
