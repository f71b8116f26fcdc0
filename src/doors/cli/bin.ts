#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string } // the package's own manifest
process.stdout.write(`muniment ${version}\n`)
