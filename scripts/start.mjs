// What `npm start` runs: the server, from a build that is as new as the source.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const program = path.join(root, 'dist/doors/cli/bin.js')

const changedMs = (file) => statSync(file).mtimeMs

const sources = () =>
  readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

const isStale = () =>
  !existsSync(program) || sources().some((file) => changedMs(file) > changedMs(program))

/** Runs a script with this Node and ends with its exit code if it fails. */
function run(script, args) {
  const { status, error } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

if (isStale()) {
  console.log('Building first, which takes half a minute or so …')
  run('scripts/build.mjs', [])
}

// In the place of this process, as far as there is such a thing: signals and the exit code are its own.
const child = spawn(process.execPath, [program, 'serve', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
