import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSite } from './docs/site.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = path.join(root, 'site')
const problems = buildSite(root, folder)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`Written to ${path.relative(process.cwd(), folder)}: open index.html there.`)
