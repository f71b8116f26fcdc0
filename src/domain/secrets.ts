/** What is kept in the place of a secret, so that a reader knows that something was there. */
const mark = (kind: string): string => `[redacted:${kind}]`

interface Secret {
  readonly kind: string
  readonly pattern: RegExp
  /** What stays around it: group 1 before, and group 2 after. */
  readonly keeps?: true
}

/**
 * Shapes that only secrets have, and names that announce one. Lengths are bounded, so that no text
 * makes looking slow. What has no such shape is not found: this is a net, not a wall.
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
    kind: 'secret',
    // A name that says so, and behind it something with a digit or sign, which a type name has not.
    pattern:
      /((?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)(?![$<{([]|process\.|env\.)(?=[^\s"',;]{0,200}[\d!@#%^&*+/=~-])[^\s"',;]{6,500}()/gi,
    keeps: true,
  },
]

/** The text with everything in it that looks like a secret taken out, each with its mark. */
export const redacted = (text: string): string =>
  SECRETS.reduce(
    (left, { kind, pattern, keeps }) =>
      left.replace(pattern, keeps ? `$1${mark(kind)}$2` : mark(kind)),
    text,
  )
