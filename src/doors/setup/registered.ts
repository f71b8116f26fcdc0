import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  CLIENT_NAMES,
  CLIENTS,
  type Client,
  type Places,
  SCOPES,
  type Scope,
  serverFile,
} from './clients.ts'
import { type ParseJson, readJsonFile } from './json-file.ts'
import { startedBy } from './server-entry.ts'
import { readTomlFile } from './toml-file.ts'

/** A client with an entry of ours; `missing` names an absent program. */
export interface Registered {
  readonly client: string
  readonly file: string
  readonly scope: Scope
  /** The words of the command that starts the server. */
  readonly line: readonly string[]
  /** A program named by its path, and missing there. */
  readonly missing: string | null
}

/** Every client that starts this program, in each scope. Unreadable files are skipped. */
export async function registered(
  places: Places,
  parseJson: ParseJson,
): Promise<readonly Registered[]> {
  const found: Registered[] = []
  for (const name of CLIENT_NAMES) {
    const client: Client = CLIENTS[name]
    for (const scope of SCOPES) {
      const file = serverFile(name, scope, places)
      if (file === null) continue
      const read = client.format === 'json' ? readJsonFile(file, parseJson) : readTomlFile(file)
      const line = await read.then(({ members }) => startedBy(members, client)).catch(() => null)
      if (line === null) continue
      const missing = line.find((word) => path.isAbsolute(word) && !existsSync(word)) ?? null
      found.push({ client: name, file, scope, line, missing })
    }
  }
  return found
}
