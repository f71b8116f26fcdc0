import { describe, expect, test } from 'vitest'
import { redacted } from './secrets.ts'

const letters = (count: number): string => 'aB3dE6gH9'.repeat(count).slice(0, count)
const PEM = (kind: string) => `-----${kind} RSA PRIVATE KEY-----`

describe('secrets', () => {
  test.each([
    [`key AKIA${'A1B2'.repeat(4)} here`, 'key [redacted:aws-key] here'],
    [`ghp_${letters(36)}`, '[redacted:github-token]'],
    [`github_pat_${letters(40)}`, '[redacted:github-token]'],
    [`glpat-${letters(20)}`, '[redacted:gitlab-token]'],
    [`xoxb-${letters(24)}`, '[redacted:slack-token]'],
    [`sk_live_${letters(24)}`, '[redacted:stripe-key]'],
    [`sk-ant-${letters(40)}.`, '[redacted:api-key].'],
    [`AIza${letters(35)}`, '[redacted:google-key]'],
    [`npm_${letters(36)}`, '[redacted:npm-token]'],
    [`eyJ${letters(20)}.${letters(20)}.${letters(20)}`, '[redacted:jwt]'],
    [
      'postgres://me:hunter2@db.example.org/x',
      'postgres://me:[redacted:url-password]@db.example.org/x',
    ],
    [`Authorization: Bearer ${letters(30)}`, 'Authorization: Bearer [redacted:authorization]'],
    ['DB_PASSWORD=hunter-2', 'DB_PASSWORD=[redacted:secret]'],
    ['{"client_secret": "abc123xyz"}', '{"client_secret": "[redacted:secret]"}'],
    [`${PEM('BEGIN')}\nMIIE\n${PEM('END')}\nafter`, '[redacted:private-key]\nafter'],
    [`${PEM('BEGIN')}\nMIIE and the end was cut`, '[redacted:private-key]'],
  ])('are taken out: %j', (text, left) => {
    expect(redacted(text)).toBe(left)
  })

  test.each([
    'The password policy: use at least twelve characters',
    'password: string; secret: boolean',
    'apiKey: process.env.API_KEY_2',
    'const token = readToken()',
    'https://example.org:8080/a@b',
    'sk-short',
    'The bearer of this note is 40',
  ])('are not seen where there are none: %j', (text) => {
    expect(redacted(text)).toBe(text)
  })

  test('what was taken out once stays as it is', () => {
    const once = redacted(`api_key=${letters(20)} and ghp_${letters(36)}`)
    expect(redacted(once)).toBe(once)
  })
})
