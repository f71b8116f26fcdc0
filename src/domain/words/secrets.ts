/** Patterns written by others, accepted only if no text can make the search slow. */

const PATTERN_CHARS_MAX = 500
const NAME = /^[a-z][a-z0-9-]{0,39}$/
const REPEAT_MAX = 4_096
/** Most ways to try a pattern at a place of a text. */
const WAYS_MAX = 2_000

interface NamedPattern {
  readonly name: string
  readonly pattern: string
}

/** The compiled pattern, or the fault that prevents its use. */
type Compiled =
  | { readonly regexp: RegExp; readonly fault: null }
  | { readonly regexp: null; readonly fault: string }

const refused = (fault: string): Compiled => ({ regexp: null, fault })

export function compilePattern({ name, pattern }: NamedPattern): Compiled {
  if (!NAME.test(name)) return refused('its name is small letters, digits and dashes, 40 at most')
  if (pattern.length > PATTERN_CHARS_MAX) {
    return refused(`it is longer than ${PATTERN_CHARS_MAX} characters`)
  }
  let regexp: RegExp
  try {
    regexp = new RegExp(pattern, 'gu')
  } catch {
    return refused('it is no regular expression')
  }
  try {
    const { ways, least } = measured(pattern)
    if (least === 0) return refused('it matches where nothing is')
    if (ways > WAYS_MAX) {
      return refused(`it can be tried in more than ${WAYS_MAX} ways: bound its repetitions closer`)
    }
  } catch (error) {
    if (error instanceof Unbounded) return refused(error.message)
    throw error
  }
  return { regexp, fault: null }
}

class Unbounded extends Error {}

/** The number of ways to try a part, and the fewest characters of a match. */
interface Part {
  readonly ways: number
  readonly least: number
}

const NOTHING: Part = { ways: 1, least: 0 }
const CHARACTER: Part = { ways: 1, least: 1 }

/** Escapes, classes, brackets, repetitions, and any other character. */
const TOKEN =
  /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|p\{[^}]+\}|c[a-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?:|\{\d+,?\d*\}\??|[*+?]\??|[\s\S]/gi
const REPEAT = /^(?:\{(\d+)(,?)(\d*)\}|([*+?]))\??$/
const BOUNDARY = /^(?:\\b|[\^$])$/i
const BACKWARDS = /^\\[1-9k]/

/** Measures a valid regular expression, token by token. */
function measured(pattern: string): Part {
  const tokens = pattern.match(TOKEN) ?? []
  let at = 0
  const either = (): Part => {
    let part = sequence()
    while (tokens[at] === '|') {
      at += 1
      const other = sequence()
      part = { ways: part.ways + other.ways, least: Math.min(part.least, other.least) }
    }
    return part
  }
  const sequence = (): Part => {
    let part = NOTHING
    for (let token = tokens[at]; token && token !== '|' && token !== ')'; token = tokens[at]) {
      at += 1
      const next = repeated(atom(token))
      part = { ways: Math.min(part.ways * next.ways, Infinity), least: part.least + next.least }
    }
    return part
  }
  const atom = (token: string): Part => {
    if (BACKWARDS.test(token)) throw new Unbounded('it refers back to a part of itself')
    if (BOUNDARY.test(token)) return NOTHING
    if (!token.startsWith('(')) return CHARACTER
    if (tokens[at]?.startsWith('?')) throw new Unbounded('it looks ahead, back, or names a part')
    const part = either()
    at += 1 // its closing bracket, which is there
    return part
  }
  const repeated = (part: Part): Part => {
    const found = REPEAT.exec(tokens[at] ?? '')
    if (!found) return part
    at += 1
    const [, from, comma, to, sign] = found
    if (sign === '*' || sign === '+' || (comma === ',' && to === '')) {
      throw new Unbounded('it repeats without an end: write {1,200} where it says +')
    }
    const min = sign === '?' ? 0 : Number(from)
    const max = sign === '?' ? 1 : comma === '' ? min : Number(to)
    if (max > REPEAT_MAX) throw new Unbounded(`it repeats more than ${REPEAT_MAX} times`)
    let ways = 0
    for (let times = min; times <= max && ways <= WAYS_MAX; times++) ways += part.ways ** times
    return { ways, least: part.least * min }
  }
  return either()
}

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
