#!/usr/bin/env node

// Nothing is imported before the version check: an older Node would fail on the first file with an
// unhelpful message. Therefore this file also keeps to syntax an older Node can parse.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// Some clients take the exit code of a hook for a veto.
const isHook = process.argv[2] === 'hook'

if (major > 22 || (major === 22 && minor >= 16)) {
  import('./main.ts')
    .then(({ main }) => main())
    .then(
      (code) => {
        process.exitCode = code
      },
      (error) => {
        process.stderr.write(`muniment: ${error}\n`)
        process.exitCode = isHook ? 0 : 70
      },
    )
} else {
  process.stderr.write(
    `muniment needs Node 22.16 or later; this is Node ${process.versions.node}.\n` +
      '  Get a newer one from https://nodejs.org, or: nvm install 24\n',
  )
  process.exitCode = isHook ? 0 : 2
}

export {} // makes this file a module, so its names are local
