import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectBooks } from '../tests/manifest/books.ts'
import { ISSUES } from '../tests/manifest/issues.ts'
import { ROOT } from '../tests/support/project-files.ts'
import { withPicture } from '../tests/tidy/picture.ts'

const { all, problems, pages } = projectBooks()
const held = all.filter(({ status }) => status === 'held')
const pending = all.filter(({ status }) => status === 'pending')

console.log(`held: ${held.length}`)
for (const { id, says, heldBy } of held)
  console.log(`  ${id}  ${says}\n    ${heldBy.join('\n    ')}`)

console.log(`\npending: ${pending.length}`)
for (const [issue, title] of Object.entries(ISSUES)) {
  const ids = pending.filter(({ due }) => due === issue).map(({ id }) => id)
  if (ids.length > 0) console.log(`  ${title}: ${ids.join(' ')}`)
}

if (process.argv.includes('--write')) {
  for (const [page, text] of pages) writeFileSync(path.join(ROOT, page), text)
  const architecture = path.join(ROOT, 'docs/architecture.md')
  const drawn = withPicture(readFileSync(architecture, 'utf8'))
  if (drawn !== null) writeFileSync(architecture, drawn)
  console.log(`\nwritten: ${[...pages.keys()].join(', ')}`)
}

if (problems.length > 0) {
  console.error(`\n${problems.join('\n')}`)
  process.exitCode = 1
}
