// Makes what is published, in `dist` or where `--out` says: the types of the library, the library and
// the program in few files, because finding and linking files is most of a start, and the explorer's pages.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { loadConfig } from 'rolldown/config'
import { build } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values
const dist = path.resolve(out ?? path.join(root, 'dist'))

function types() {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', path.join(root, 'tsconfig.build.json'), '--outDir', dist]
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

async function code() {
  for (const { output, ...input } of await loadConfig(path.join(root, 'rolldown.config.ts'))) {
    const bundle = await rolldown(input)
    await bundle.write({ ...output, dir: path.join(dist, output.dir) })
    await bundle.close()
  }
}

async function explorer() {
  await build({
    configFile: path.join(root, 'explorer/vite.config.ts'),
    build: { outDir: path.join(dist, 'explorer') },
    logLevel: 'warn',
  })
}

// What no longer has a source would be published with the rest.
rmSync(dist, { recursive: true, force: true })
types()
await code()
await explorer()
chmodSync(path.join(dist, 'doors/cli/bin.js'), 0o755) // npm does so only when it links it first
