import path from 'node:path'

export const SCOPES = ['project', 'user'] as const
export type Scope = (typeof SCOPES)[number]

/** A person's folders, and the working folder. */
export interface Places {
  readonly home: string
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** Windows keeps program settings there. */
  readonly appData: string | undefined
}

/** The command line by which a client starts this program. */
export interface Launcher {
  readonly command: string
  /** Words before the name of the command. */
  readonly args: readonly string[]
  /**
   * Words after the command: the home, the store and the settings file, where this call named them.
   */
  readonly options: readonly string[]
  /** The stack for all projects, where this call named a stack. */
  readonly stack: string | null
}

/** A client's settings files, and its form of server entries. */
export interface Client {
  readonly title: string
  readonly format: 'json' | 'toml'
  /** The member that holds servers by name. */
  readonly member: string
  /** An entry names its transport, stdio. */
  readonly isTyped: boolean
  /** The file for all of a person's projects, … */
  readonly user: (places: Places) => string
  /** … and for this project; null where the client has none. */
  readonly project: ((places: Places) => string) | null
  /** A path that exists where the client is installed. */
  readonly sign: (places: Places) => string
  readonly usual: Scope
  /** The client's spelling of the project's folder for a server. */
  readonly projectFolder: string
}

/** Settings folder of desktop programs. */
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

/** The client expands this variable; its servers may start in another folder. */
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
  gemini: {
    ...JSON_SERVERS,
    title: 'Gemini CLI',
    user: ({ home }) => path.join(home, '.gemini', 'settings.json'),
    project: ({ folder }) => path.join(folder, '.gemini', 'settings.json'),
    sign: ({ home }) => path.join(home, '.gemini'),
    usual: 'project',
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

/** A client's server file, or null without a file of this scope. */
export function serverFile(name: ClientName, scope: Scope, places: Places): string | null {
  const client: Client = CLIENTS[name]
  return scope === 'user' ? client.user(places) : (client.project?.(places) ?? null)
}

/**
 * The options for a client's stack. A project's file names no stack: the file requires the stack
 * bound to the folder in the person's home, so a copy of the file in another folder opens nothing.
 */
export const stackOptions = (
  { stack }: Launcher,
  { scope, folder }: { readonly scope: Scope; readonly folder: string },
): readonly string[] => {
  if (scope === 'project') return ['--project', folder]
  return stack === null ? [] : ['--stack', stack]
}
