import { existsSync, readFileSync } from 'node:fs'
import { MunimentError } from '../domain/errors.ts'
import { nodeSha256 } from './node-world.ts'

/** The folder as seen from this file, and from the bundled program, which lies a folder deeper. */
const FOLDERS = ['../../assets/', '../../../assets/']

/** A file that comes with the package; no other file may stand in its place. */
export function readAsset(name: string, sha256: string): Uint8Array {
  const places = FOLDERS.map((folder) => new URL(folder + name, import.meta.url))
  const place = places.find((url) => existsSync(url))
  const bytes = place && readFileSync(place)
  if (bytes === undefined)
    throw new MunimentError('data_loss', `The package has no assets/${name}.`, {
      hint: 'Install the package again.',
    })
  if (nodeSha256(bytes) !== sha256)
    throw new MunimentError('data_loss', `assets/${name} is not the file that was shipped.`, {
      hint: 'Install the package again.',
      facts: { expected: sha256 },
    })
  return bytes
}
