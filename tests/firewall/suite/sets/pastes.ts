import { PASTED_CHATS_READMES_DATA } from './pasted-chats-readmes-data.ts'
import { PASTED_MAIL_LOGS_PAGES } from './pasted-mail-logs-pages.ts'
import type { PastedPrompt } from './pasted-prompt.ts'

export const PASTED_PROMPTS: readonly PastedPrompt[] = [
  ...PASTED_MAIL_LOGS_PAGES,
  ...PASTED_CHATS_READMES_DATA,
]
