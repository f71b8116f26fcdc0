import type { SessionKey, SessionStore, SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk'
import { MunimentError } from '../../domain/errors.ts'
import { toMs } from '../../domain/time.ts'
import type { Author, SessionOptions } from '../common/authorship.ts'
import { type KeptMessage, type Message, MessageLog, placeOf } from '../common/message-log.ts'
import type { SeatUser } from '../common/seat.ts'
import { wordsOf } from '../common/words-of.ts'

const SEAT = 'claude_agent_sdk'
const MARKERS = 'markers'

/** A session store of the Claude Agent SDK whose every transcript entry is a memory with its author. */
export class MunimentSessionStore implements SessionStore {
  readonly #log: MessageLog
  readonly #user: SeatUser | undefined

  constructor({ user, ...channel }: SessionOptions) {
    this.#log = new MessageLog({ ...channel, seat: SEAT })
    this.#user = user
  }

  /** An entry whose `uuid` the transcript holds already is not written again. */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    if (entries.length === 0) return
    const { projectKey, sessionId, subpath } = checked(key)
    const marker = { projectKey, sessionId, ...(subpath === undefined ? {} : { subpath }) }
    await this.#log.append(placeOf(SEAT, MARKERS, projectKey), [
      { author: 'tool', text: null, exact: marker, key: JSON.stringify([sessionId, subpath]) },
    ])
    await this.#log.append(
      placeFor(key),
      entries.map((entry) => messageOf(entry, key, this.#user)),
    )
  }

  /** Null for a session that was never written, and for a deleted session. */
  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const entries = (await this.#log.messages(placeFor(checked(key)))).map(entryOf)
    return entries.length === 0 ? null : entries
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    const found: Array<{ sessionId: string; mtime: number }> = []
    for (const { sessionId, subpath } of await this.#keys(projectKey)) {
      if (subpath !== undefined) continue
      const [newest] = await this.#log.messages(placeFor({ projectKey, sessionId }), 1)
      if (newest) found.push({ sessionId, mtime: toMs(newest.createdAt) })
    }
    return found
  }

  async listSubkeys({ projectKey, sessionId }: SessionKey): Promise<string[]> {
    const found: string[] = []
    for (const key of await this.#keys(projectKey)) {
      if (key.sessionId !== sessionId || key.subpath === undefined) continue
      const [newest] = await this.#log.messages(placeFor(key), 1)
      if (newest) found.push(key.subpath)
    }
    return found
  }

  /** Forgets a transcript, and with a session its subagents' transcripts. */
  async delete(key: SessionKey): Promise<void> {
    const { projectKey, sessionId, subpath } = checked(key)
    const subkeys = subpath === undefined ? await this.listSubkeys(key) : []
    const keys = [key, ...subkeys.map((each) => ({ projectKey, sessionId, subpath: each }))]
    for (const each of keys) await this.#log.clear(placeFor(each))
  }

  async #keys(projectKey: string): Promise<readonly SessionKey[]> {
    const markers = await this.#log.messages(placeOf(SEAT, MARKERS, projectKey))
    return markers.map(({ exact }) => exact as SessionKey) // written by append
  }
}

/** The client's own elements around commands, their output, its reminders and words of others. */
const MARKUP =
  /<\/?(?:command-|local-command-|bash-|system-reminder|task-notification|teammate-message|channel[\s>]|ide_|user-prompt-submit-hook)/
/** The client's own sentences, where the entry itself does not say that the client wrote them. */
const SENTENCES =
  /^\s*(?:This session is being continued from|Caveat: The messages below|\[Request interrupted by user)/

const entryOf = ({ exact }: KeptMessage): SessionStoreEntry => exact as SessionStoreEntry // written by append

const messageOf = (
  entry: SessionStoreEntry,
  key: SessionKey,
  user: SeatUser | undefined,
): Message => ({
  author: authorOf(entry, key),
  user,
  text: textOf(entry.message),
  exact: entry,
  ...(typeof entry.uuid === 'string' ? { key: entry.uuid } : {}),
})

/** A subagent's prompt, a summary and an expanded command look like prompts, and no person typed them. */
function authorOf(entry: SessionStoreEntry, { subpath }: SessionKey): Author {
  const { type, isSidechain, isMeta, isCompactSummary, isSynthetic, message } = entry
  if (type === 'assistant' || type === 'summary') return 'model'
  if (type !== 'user') return 'tool'
  if (subpath !== undefined || isSidechain === true || isCompactSummary === true) return 'model'
  if (isMeta === true || isSynthetic === true || !isByPerson(entry)) return 'tool'
  const text = textOf(message)
  return text === null || MARKUP.test(text) || SENTENCES.test(text) ? 'tool' : 'user'
}

/** An entry may name its origin, such as a peer or a channel; an entry of an older client does not. */
const isByPerson = ({ origin }: SessionStoreEntry): boolean =>
  origin == null || (origin as { readonly kind?: unknown }).kind === 'human'

const textOf = (message: unknown): string | null =>
  wordsOf((Object(message) as { readonly content?: unknown }).content)

const placeFor = ({ projectKey, sessionId, subpath }: SessionKey): string =>
  subpath === undefined
    ? placeOf(SEAT, 'main', projectKey, sessionId)
    : placeOf(SEAT, 'sub', projectKey, sessionId, subpath)

function checked(key: SessionKey): SessionKey {
  if (key.subpath !== '') return key
  throw new MunimentError('invalid_input', 'subpath: leave it out for the main transcript.')
}
