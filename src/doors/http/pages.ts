import { ERROR_CODES, MunimentError } from '../../domain/errors.ts'
import type { Operation } from '../../operations/operation.ts'
import { inputSchema } from '../cli/spec/arguments.ts'
import { kebab } from '../cli/spec/names.ts'
import { operations } from './openapi.ts'
import { problemOf } from './problem.ts'

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

export const STYLE = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8884; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8883; }
h2 { margin-top: 2.5rem; } h3 { margin-top: 2rem; }
:target { outline: 2px solid; outline-offset: 4px; }
`

/** The page at / without a built explorer. */
export const plainPage = (version: string): string =>
  page(
    'Muniment',
    `<h1>Muniment ${escaped(version)}</h1>
<p>Memory for AI agents with provenance. This server answers; the explorer was not built with it.</p>
<ul>
<li><a href="/docs">The HTTP interface</a>, and the same for programs: <a href="/openapi.json">openapi.json</a></li>
<li><a href="/v1/stacks">The stacks that are served</a></li>
<li>MCP at <code>/mcp</code></li>
<li><a href="/healthz">healthz</a>, <a href="/metrics">metrics</a></li>
</ul>`,
  )

/** The table of operations as a page. Nothing is loaded from elsewhere. */
export function docsPage(version: string): string {
  const all = operations()
  return page(
    'Muniment: the HTTP interface',
    `<h1>The HTTP interface</h1>
<p>Muniment ${escaped(version)}. For programs: <a href="/openapi.json">openapi.json</a>.</p>
<pre>curl -X POST http://localhost:…/v1/stacks/default/note \\
  -H 'Content-Type: application/json' -H 'Authorization: Bearer mun_…' \\
  -d '{"content": "The table has forty million rows"}'

curl 'http://localhost:…/v1/stacks/default/search?query=table&amp;limit=5' \\
  -H 'Authorization: Bearer mun_…'</pre>
<p>An operation is asked by POST with its input as JSON; one that only reads also by GET with its fields as a query, where an <code>ETag</code> says whether anything has changed. A call without a token is answered with 401: the token for programs lies in the file <code>program-token</code> of the home, and <code>muniment trust token create</code> makes others. <code>Muniment-Session</code> names the session, <code>Idempotency-Key</code> makes a repeat harmless. <code>GET /v1/stacks/&lt;stack&gt;/changes</code> tells of every new entry as server-sent events.</p>
<h2>Operations</h2>
<ul>${all.map(({ name }) => `<li><a href="#${kebab(name)}">${kebab(name)}</a></li>`).join('')}</ul>
${all.map(operationPart).join('\n')}
<h2>Errors</h2>
<p>Refusals and failures are <code>application/problem+json</code> with <code>code</code>, <code>hint</code> and <code>issues</code>.</p>
<table><tr><th>code</th><th>status</th></tr>
${ERROR_CODES.map((code) => `<tr id="${code}"><td><code>${code}</code></td><td>${problemOf(new MunimentError(code, '')).status}</td></tr>`).join('\n')}
</table>`,
  )
}

function operationPart(operation: Operation): string {
  const { name, summary, right, example } = operation
  const { properties = {}, required = [] } = inputSchema(operation)
  const rows = Object.entries(properties).map(([field, node]) => {
    const type = node.enum?.join(' | ') ?? [node.type ?? 'any'].flat().join(' | ')
    const need = required.includes(field) ? 'needed' : ''
    const cells = [
      `<code>${escaped(field)}</code>`,
      escaped(type),
      need,
      escaped(node.description ?? ''),
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<h3 id="${kebab(name)}">${kebab(name)}</h3>
<p>${escaped(summary)} <em>${right}</em></p>
<pre>${right === 'read' ? 'GET, ' : ''}POST /v1/stacks/&lt;stack&gt;/${kebab(name)}
${escaped(JSON.stringify(example))}</pre>
${rows.length === 0 ? '' : `<table>${rows.join('')}</table>`}`
}
