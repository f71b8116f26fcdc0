/** One thing out of order: where, and what to do about it. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Findings as lines that an editor can jump to; an empty list is what a tidy house shows. */
export const listed = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ path, line, message }) => `${path}:${line}: ${message}`)
