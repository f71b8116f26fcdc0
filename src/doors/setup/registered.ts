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

/** A client that was told of us, and whether what it starts is there. */
export interface Registered {
  readonly client: string
  readonly file: string
  readonly scope: Scope
  /** The words of the command that starts the server. */
  readonly line: readonly string[]
  /** A program that is named by where it lies, and lies there no more. */
  readonly missing: string | null
}

/** Every client that starts this program, wherever it says so. What cannot be read says nothing. */
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
