import { expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { readProjectFile } from '../support/project-files.ts'
import { samplesOf } from './support/samples.ts'

const README = readProjectFile('README.md')
const LINES_MAX = 150

test('the README fits into one reading and gives the two commands that do everything', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  expect(README).toContain('npm ci && npm start')
  expect(README).toContain('npm ci && npm test')
})

test('the step of the demo in the README is in the demo, ids apart', async () => {
  const plain = (text: string): string => text.replace(/\b[0-9a-f]{8}\b/g, '00000000')
  const [step] = samplesOf('README.md', 'text')
  const { out } = await new Desk(scratch()).call(['demo'])
  expect(plain(out)).toContain(plain(step?.code ?? 'no step'))
})

test('the README and the page of methods link the page of labels', () => {
  expect(README).toContain('(docs/labels.md)')
  expect(readProjectFile('docs/api.md')).toContain('(labels.md)')
})
