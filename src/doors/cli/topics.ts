const EXIT_CODES = `What the program ends with

   0  done
   1  refused: by the gate, or because the caller may not do this
   2  not understood: a command, option or input that is not valid
   3  not found
   4  the audit found something that is not as it was written
   5  trouble with the store: not there, full, read-only, busy, broken
   6  put up for review: a model's proposal about what was said first-hand; nothing changed
  70  a fault in muniment itself

With --json a failure prints { "error": { "code", "message", "hint", "issues" } } on
stdout. An audit that finds problems prints its report and ends with 4; a change that was
put up for review prints its answer ("reason": "proposed") and ends with 6.
`

const LABELS = `How a person is distinguished from a program

What is written here carries a label that nothing in the text can change:

  UserAsserted   a person wrote it (tier 3), because
                   a personal token was shown, or
                   stdin and stdout or stderr are a terminal, and nothing in the
                   environment shows an agent's shell or a build machine
  ModelDerived   anything else (tier 1), and everything that comes over MCP

Hooks of a client (muniment setup claude-code --hooks) capture what was really typed as
UserAsserted, and what tools really answered as ExternalFirstHand at tier 1; at tier 2 only
where you vouch for tool and folder (muniment trust captures trust).

Every write says which label it took and why. Signs of an agent are variables such as
CLAUDECODE, CURSOR_AGENT, CODEX_SANDBOX, GEMINI_CLI, OPENCODE, AIDER_*, CI; set
MUNIMENT_AGENT=1 in a shell that you give to a program of your own.

A person without a terminal, in a script or behind a pipe, shows a token:

  muniment trust token create laptop           in a terminal, once; it is shown once
  MUNIMENT_TOKEN=mun_… muniment note "…"

Only its SHA-256 is kept, in tokens.json of the home folder. Do not export the token in
a shell that an agent uses: whoever shows it is you.

The limit, said plainly: someone with the same user's shell can forge a person. They can
open a terminal, unset a variable, read the token or write tokens.json. The label keeps
honest programs honest; it does not stop a thief who is already you. muniment doctor says
when the last personal token was made, and in which terminal.
`

const REFS = `How memories are named

A memory is kind:id, for example belief:0197a3c2-7d1e-7c40-9b5a-2f6e1a2b3c4d. Ids begin
with their time, so neighbours look alike; the end tells them apart:

  belief:1a2b3c4d    the end of the id, as lists show it
  1a2b3c4d           the same, where only one memory ends like this

Four characters are enough if they fit one memory only. --json prints whole ids.
`

const CONFIG = `Settings, and where they come from

An option wins over a variable of the environment, that over a file, and that over what
is usual. muniment stack config shows every setting and who said so.

Files are muniment.config.json, or muniment.config.ts, which Node runs itself:

  { "stack": "work", "serve": { "port": 8080 }, "mcp": { "toolset": "full" } }

  import type { Config } from 'muniment'
  export default { store: process.env.DATABASE_URL } satisfies Config

One is read from the home folder, and one from the folder you are in, which wins. The
latter may have come with somebody's project: it chooses a model, a port, tools and what
is logged, a stack only after you agreed (muniment stacks agree), and is refused where it
says more, or is TypeScript. With --config
or MUNIMENT_CONFIG you choose the file yourself: it is then the only one, and may say
everything. Tokens and keys belong in the environment and are taken from no file.

  "redact": [{ "name": "badge", "pattern": "EMP-[0-9]{6}" }]

takes more out of what is written than keys and passwords. Its repetitions need an end.
`

/** Pages of `muniment help` besides the commands'; pages built from a table are loaded late. */
export const TOPICS: Readonly<Record<string, () => string | Promise<string>>> = {
  'exit-codes': () => EXIT_CODES,
  labels: () => LABELS,
  refs: () => REFS,
  settings: () => CONFIG,
  environment: async () => (await import('./environment.ts')).environment(),
}
