export interface Check {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'bad'
  readonly detail: string
  /** The command to type next. */
  readonly hint: string | null
}

export const ok = (name: string, detail: string): Check => ({
  name,
  status: 'ok',
  detail,
  hint: null,
})

export const warning = (name: string, detail: string, hint: string): Check => ({
  name,
  status: 'warning',
  detail,
  hint,
})
