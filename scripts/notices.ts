import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'rolldown'

const PACKAGE_OF_FILE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
// What a package was itself bundled from stands in comments that its bundler left.
const BUNDLED_INTO_IT = /^\/\/#region \S*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm

/** Puts the licences of all that is bundled beside it; a package without one stops the build. */
export const notices = (fileName: string): Plugin => ({
  name: 'notices',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' ? Object.entries(file.modules) : [],
    )
    const folders = modules
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .flatMap(([id]) => foldersOf(id))
    const source = [...new Set(folders)]
      .sort()
      .map(noticeOf)
      .join(`\n${'-'.repeat(80)}\n\n`)
    this.emitFile({ type: 'asset', fileName, source })
  },
})

function foldersOf(id: string): readonly string[] {
  const folder = PACKAGE_OF_FILE.exec(id)?.[1]
  if (folder === undefined) return []
  const inside = [...readFileSync(id, 'utf8').matchAll(BUNDLED_INTO_IT)].map(
    ([, name = '']) => name,
  )
  return [folder, ...new Set(inside.map((name) => installedFrom(folder, name)))]
}

/** Where Node would look for it from there; npm may have put it beside, or further up. */
function installedFrom(folder: string, name: string): string {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const found = path.join(at, 'node_modules', name)
    if (existsSync(found)) return found
  }
  throw new Error(`${folder} contains ${name}, whose licence is not installed here.`)
}

function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly license?: string
  } // fields that npm defines
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
  if (file === undefined)
    throw new Error(`${manifest.name} has no licence that could be passed on.`)
  const text = readFileSync(path.join(folder, file), 'utf8').trim()
  return `${manifest.name} (${manifest.license ?? 'see below'})\n\n${text}\n`
}
