/** The order of the pages in the navigation of the site; paths from the root of the project. */
export const SECTIONS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Start', ['README.md', ...docs('getting-started', 'concepts', 'faq')]],
  [
    'Guides',
    docs('recipes', 'labels', 'adapters', 'adopt', 'sync', 'deployment', 'scaling', 'comparison'),
  ],
  ['Reference', docs('cli', 'mcp', 'hooks', 'http', 'api', 'components', 'explorer')],
  [
    'Inside',
    docs('architecture', 'how-it-works', 'firewall', 'recall', 'embedder', 'ledger-format'),
  ],
  ['Promises', docs('threat-model', 'stack-protocol', 'invariants', 'seed-coverage')],
  ['Project', ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']],
]

function docs(...names: readonly string[]): readonly string[] {
  return names.map((name) => `docs/${name}.md`)
}
