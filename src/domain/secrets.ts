import { compilePattern, type NamedPattern } from './safe-pattern.ts'

/** Stands in the place of a secret, so a reader sees that a value was removed. */
const mark = (kind: string): string => `[redacted:${kind}]`

interface Secret {
  readonly kind: string
  readonly pattern: RegExp
  /** Keeps the surroundings: group 1 before the secret, and group 2 after. */
  readonly keeps?: true
}

/**
 * Shapes of secrets only, and names that announce a secret. Lengths are bounded, so no text makes
 * the search slow. A secret of another shape is missed: this is a net, not a wall.
 */
const SECRETS: readonly Secret[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    kind: 'github-token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  },
  { kind: 'gitlab-token', pattern: /\bglpat-[\w-]{20,100}/g },
  { kind: 'slack-token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,200}/g },
  { kind: 'stripe-key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}/g },
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{20,250}/g },
  { kind: 'google-key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { kind: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,100}/g },
  { kind: 'muniment-token', pattern: /\bmun_[A-Za-z0-9_-]{20,200}/g },
  {
    kind: 'jwt',
    pattern: /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{5,1000}/g,
  },
  {
    kind: 'url-password',
    pattern: /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:)[^\s@/]{1,200}(@)/gi,
    keeps: true,
  },
  {
    kind: 'authorization',
    pattern: /\b((?:bearer|basic)\s{1,4})[A-Za-z0-9._~+/=-]{16,4000}()/gi,
    keeps: true,
  },
  {
    kind: 'authorization', // any other scheme, or none
    pattern:
      /\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[a-z]{1,20}\s{1,4})?)(?=[^\s"']{0,200}\d)[\w.~+/=:-]{8,4000}()/gi,
    keeps: true,
  },
  {
    kind: 'cookie',
    pattern: /\b((?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?)(?=[\w.-]{1,100}=)[^\r\n"']{4,4000}()/gi,
    keeps: true,
  },
  {
    kind: 'secret',
    // As in environments: any value behind the name is a secret, words too.
    pattern:
      /\b((?:[A-Z0-9]{1,30}_){0,6}(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|SECRET|TOKEN|CREDENTIALS|(?:SECRET|API|ACCESS|AUTH|PRIVATE|ENCRYPTION|SIGNING|MASTER|APP)_?KEY)(?:_[A-Z0-9]{1,30}){0,3}(?:=|["']\s{0,4}:\s{0,4}(?=["']))["']?)(?![$<{([/]|process\.|env\.)[^\s"',;]{4,500}()/g,
    keeps: true,
  },
  {
    kind: 'secret',
    // A name that announces a secret, then a value with a digit or sign, unlike a type name, or a
    // word too long for the name of a thing.
    pattern:
      /((?:password|passwd|passphrase|secret(?:[_-]?key)?(?:[_-]?base)?|(?:api|access|private|encryption|signing|master)[_-]?key|(?:auth|access|api|private|refresh|session|bot)[_-]?token)["']?\s{0,4}[:=]\s{0,4}["']?)(?![$<{([]|process\.|env\.)(?:(?=[^\s"',;]{0,200}[\d!@#%^&*+/=~-])[^\s"',;]{6,500}|[a-z]{16,500}\b(?![.(_]))()/gi,
    keeps: true,
  },
  {
    kind: 'secret',
    // The word alone is common: the value must have letters and digits, and no calls.
    pattern:
      /(\btoken["']?\s{0,4}[:=]\s{0,4}["']?)(?![$<{([]|process\.|env\.)(?=[^\s"',;]{0,200}\d)(?=[^\s"',;]{0,200}[a-z])[\w.~+/=-]{8,500}(?![\w(])()/gi,
    keeps: true,
  },
]

/** Removes secrets from a text, and calls `onTaken` for each. */
export type Redactor = (text: string, onTaken?: () => void) => string

/** Removes the secrets of `redacted`, then matches of the user's own patterns. */
export function redactorOf(patterns: readonly NamedPattern[]): Redactor {
  const own = patterns.flatMap(({ name, pattern }) => {
    const { regexp } = compilePattern({ name, pattern })
    return regexp === null ? [] : [{ name, regexp }]
  })
  return (text, onTaken) =>
    own.reduce(
      (left, { name, regexp }) =>
        left.replace(regexp, () => {
          onTaken?.()
          return mark(name)
        }),
      redacted(text, onTaken),
    )
}

/** The text with a mark in place of every likely secret. */
export const redacted: Redactor = (text, onTaken) =>
  SECRETS.reduce(
    (left, { kind, pattern, keeps }) =>
      left.replace(pattern, (_, before: string, after: string) => {
        onTaken?.()
        return keeps ? `${before}${mark(kind)}${after}` : mark(kind)
      }),
    text,
  )

const VALUE = /^([^=\r\n]{1,200}=[ \t]*)(?:"[^"]*"|'[^']*'|[^\s][^\r\n]*)/gm

/** For a file of secrets: names stay, and a mark replaces every value. */
export const withoutValues: Redactor = (text, onTaken) =>
  text.replace(VALUE, (_, name: string) => {
    onTaken?.()
    return `${name}${mark('env')}`
  })
