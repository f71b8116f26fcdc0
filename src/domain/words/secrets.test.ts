import { describe, expect, test } from 'vitest'
import { redacted, withoutValues } from './secrets.ts'

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
    ['SECRET_KEY=django-insecure', 'SECRET_KEY=[redacted:secret]'],
    ['secret_key_base: 9f86d081884c', 'secret_key_base: [redacted:secret]'],
    ['API_TOKEN=abcdefgh', 'API_TOKEN=[redacted:secret]'],
    ['token: a1b2c3d4e5f6', 'token: [redacted:secret]'],
    ['{"token":"a1b2c3d4e5f6"}', '{"token":"[redacted:secret]"}'],
    ['ENCRYPTION_KEY=swordfish', 'ENCRYPTION_KEY=[redacted:secret]'],
    ['?private_token=abc123def&x=1', '?private_token=[redacted:secret]'],
    ['Cookie: session=abcdef; theme=dark', 'Cookie: [redacted:cookie]'],
    ['Set-Cookie: sid=1234; Path=/', 'Set-Cookie: [redacted:cookie]'],
    ['Authorization: token 0123456789abcdef', 'Authorization: token [redacted:authorization]'],
    ['DB_PASSWORD=correcthorsebattery', 'DB_PASSWORD=[redacted:secret]'],
    ['password=correcthorsebattery', 'password=[redacted:secret]'],
    ['"DB_PASSWORD": "correcthorse"', '"DB_PASSWORD": "[redacted:secret]"'],
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
    'const token = readToken2()',
    'login(password=password, token=token)',
    'max_token: 100000',
    'tokens: 12345678',
    'The token: it is a word of 9 letters',
    'PASSWORD=$OTHER',
    'TOKEN: string',
    'Eat the cookie: it is good',
    'Authorization: is required by all of them',
    'PRIMARY_KEY=user_id',
    'https://example.org:8080/a@b',
    'sk-short',
    'The bearer of this note is 40',
  ])('are not seen where there are none: %j', (text) => {
    expect(redacted(text)).toBe(text)
  })

  test('files of secrets keep their names and no value', () => {
    const text = `# comment\nexport A=plain\nB = "two\nlines"\nC='x'\n\nD=\n.env:7:E=1`
    const mark = '[redacted:env]'
    expect(withoutValues(text)).toBe(
      `# comment\nexport A=${mark}\nB = ${mark}\nC=${mark}\n\nD=\n.env:7:E=${mark}`,
    )
  })

  test('texts that could be read in many ways are read to their end, and once is enough', () => {
    for (const part of ['A_', 'token:', 'PASSWORD_', 'cookie: a=', 'secret_key_', 'a=']) {
      const once = redacted(part.repeat(50_000))
      expect(redacted(once), part).toBe(once)
      const values = withoutValues(part.repeat(50_000))
      expect(withoutValues(values), part).toBe(values)
    }
  })

  test('what was taken out once stays as it is', () => {
    const once = redacted(
      `API_TOKEN=abcdefgh Cookie: a=bcdef\napi_key=${letters(20)} and ghp_${letters(36)}`,
    )
    expect(redacted(once)).toBe(once)
  })
})
