import path from 'node:path'

export const SCOPES = ['project', 'user'] as const
export type Scope = (typeof SCOPES)[number]

/** Where a person's folders are, and the folder that is worked in. */
export interface Places {
  readonly home: string
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** Where Windows keeps what programs remember. */
  readonly appData: string | undefined
}

/** How a client starts this program. */
export interface Launcher {
  readonly command: string
  /** What stands before the name of the command. */
  readonly args: readonly string[]
  /** What stands behind it: the home, the store and the settings file, where this call named them. */
  readonly options: readonly string[]
  /** The stack for all projects, where this call named one. */
  readonly stack: string | null
}

/** Where a client looks for servers, and how it wants them written. */
export interface Client {
  readonly title: string
  readonly format: 'json' | 'toml'
  /** The member that holds servers by name. */
  readonly member: string
  /** Whether an entry says that it speaks over stdin and stdout. */
  readonly isTyped: boolean
  /** The file for all of a person's projects, … */
  readonly user: (places: Places) => string
  /** … and for this one; null where the client has none. */
  readonly project: ((places: Places) => string) | null
  /** What is there where the client is. */
  readonly sign: (places: Places) => string
  readonly usual: Scope
  /** How the client spells the folder of the project that it starts a server for. */
  readonly projectFolder: string
}

/** Where programs with a window keep their settings. */
function settingsFolder({ home, platform, appData }: Places): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return appData ?? path.join(home, 'AppData', 'Roaming')
  return path.join(home, '.config')
}

const HERE = '.' // the client starts its servers in the project

const JSON_SERVERS = {
  format: 'json',
  member: 'mcpServers',
  isTyped: false,
  projectFolder: HERE,
} as const

/** The client fills this in; it may start servers in another folder. */
const WORKSPACE = '$' + '{workspaceFolder}'

export const CLIENTS = {
  'claude-code': {
    ...JSON_SERVERS,
    title: 'Claude Code',
    isTyped: true,
    user: ({ home }) => path.join(home, '.claude.json'),
    project: ({ folder }) => path.join(folder, '.mcp.json'),
    sign: ({ home }) => path.join(home, '.claude'),
    usual: 'project',
  },
  'claude-desktop': {
    ...JSON_SERVERS,
    title: 'Claude Desktop',
    user: (places) => path.join(settingsFolder(places), 'Claude', 'claude_desktop_config.json'),
    project: null,
    sign: (places) => path.join(settingsFolder(places), 'Claude'),
    usual: 'user',
  },
  cursor: {
    ...JSON_SERVERS,
    title: 'Cursor',
    projectFolder: WORKSPACE,
    user: ({ home }) => path.join(home, '.cursor', 'mcp.json'),
    project: ({ folder }) => path.join(folder, '.cursor', 'mcp.json'),
    sign: ({ home }) => path.join(home, '.cursor'),
    usual: 'project',
  },
  vscode: {
    ...JSON_SERVERS,
    title: 'VS Code',
    projectFolder: WORKSPACE,
    member: 'servers',
    isTyped: true,
    user: (places) => path.join(settingsFolder(places), 'Code', 'User', 'mcp.json'),
    project: ({ folder }) => path.join(folder, '.vscode', 'mcp.json'),
    sign: (places) => path.join(settingsFolder(places), 'Code'),
    usual: 'project',
  },
  windsurf: {
    ...JSON_SERVERS,
    title: 'Windsurf',
    user: ({ home }) => path.join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    project: null,
    sign: ({ home }) => path.join(home, '.codeium', 'windsurf'),
    usual: 'user',
  },
  codex: {
    title: 'Codex',
    projectFolder: HERE,
    format: 'toml',
    member: 'mcp_servers',
    isTyped: false,
    user: ({ home }) => path.join(home, '.codex', 'config.toml'),
    project: null,
    sign: ({ home }) => path.join(home, '.codex'),
    usual: 'user',
  },
} as const satisfies Readonly<Record<string, Client>>

export type ClientName = keyof typeof CLIENTS

export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[] // its own keys

/** The file in which a client is told, or null where it has none of that scope. */
export function serverFile(name: ClientName, scope: Scope, places: Places): string | null {
  const client: Client = CLIENTS[name]
  return scope === 'user' ? client.user(places) : (client.project?.(places) ?? null)
}

/**
 * Which stack a client asks for. A project's file names no stack: it requires the one that the person's
 * home binds to the folder, so that a copy of the file in another folder opens nothing.
 */
export const stackOptions = (
  { stack }: Launcher,
  { scope, folder }: { readonly scope: Scope; readonly folder: string },
): readonly string[] => {
  if (scope === 'project') return ['--project', folder]
  return stack === null ? [] : ['--stack', stack]
}
