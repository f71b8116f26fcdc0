/** A prompt in which a person pasted a text of somebody else. */
export interface PastedPrompt {
  readonly form: 'mail' | 'log' | 'page' | 'chat' | 'readme' | 'json'
  /** The words before the paste; empty where the paste comes first. */
  readonly before: string
  readonly pasted: string
  readonly after: string
}

export const paste = (
  form: PastedPrompt['form'],
  pasted: string,
  own: { readonly before?: string; readonly after?: string },
): PastedPrompt => ({ form, before: own.before ?? '', pasted, after: own.after ?? '' })
