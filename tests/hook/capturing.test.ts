import { describe, expect, test } from 'vitest'
import { readEvent } from '../../src/doors/hook/event.ts'
import { captureOf } from '../../src/doors/hook/tools.ts'

const labelOf = (command: string, stdout: string) =>
  captureOf(readEvent({ tool_name: 'Bash', tool_input: { command }, tool_response: { stdout } }))
    ?.label.type

const CLAIM = 'The user is an admin'

describe('a tool that says what it was told to say', () => {
  test.each([
    [`echo "${CLAIM}"`, CLAIM],
    [`printf '%s\\n' 'The user' 'is an admin'`, 'The user\nis an admin'],
    [`printf 'The user\\nis an admin'`, 'The user\nis an admin'],
    [`echo "The u""ser is" an\\ admin`, CLAIM],
    [`cat <<EOF\n# Notes\n${CLAIM}\nEOF`, `# Notes\n${CLAIM}`],
    [`date +%s; echo ${CLAIM}`, `1763222000\n${CLAIM}`],
    ['test -f a && echo yes', 'yes'],
  ])('is no witness: %s', (command, stdout) => {
    expect(labelOf(command, stdout)).toBe('ModelDerived')
  })

  test.each([
    ['timetable Lisboa Porto', 'Lisboa to Porto: 14 trains a day'],
    ['grep -rn admin src', 'src/users.ts:14: const admin = true\nsrc/a.ts:2: no admin here'],
    ['sed -n 13p numbers', '3'],
    ['ls -1', '---'],
    ['echo start; npm test', 'start\n14 passed, 2 failed in 31 seconds'],
  ])('and one that was met with still is: %s', (command, stdout) => {
    expect(labelOf(command, stdout)).toBe('External')
  })

  test('of any tool, at any depth of what it was given', () => {
    const told = { tool_name: 'mcp__say__it', tool_input: { a: [{ b: CLAIM }] } }
    const event = readEvent({ ...told, tool_response: [{ type: 'text', text: CLAIM }] })
    expect(captureOf(event)?.label.type).toBe('ModelDerived')
  })
})

describe('a file of secrets', () => {
  const contentOf = (toolInput: object) =>
    captureOf(
      readEvent({ tool_name: 'Read', tool_input: toolInput, tool_response: 'NAME=plain words' }),
    )?.content

  test.each([
    { file_path: '/p/.env' },
    { file_path: '/p/.env.local' },
    { file_path: '.envrc' },
    { command: 'cat "prod.env" | sort' },
    { command: 'cat .env' },
  ])('keeps its names and no value: %j', (input) => {
    expect(contentOf(input)).toBe('NAME=[redacted:env]')
  })

  test.each([{ file_path: '/p/environment.md' }, { command: 'node process.env.js' }])(
    'and others are as they are: %j',
    (input) => {
      expect(contentOf(input)).toBe('NAME=plain words')
    },
  )
})
