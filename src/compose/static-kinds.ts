import { KIND_TABLE_SHA256 } from '../domain/words/search.ts'
import { type KindTable, readKindTable } from '../recall/embed/kind-table.ts'
import { readAsset } from './asset.ts'

let loaded: KindTable | undefined

/** The table of kinds that comes with the package, read when the first question is asked. */
export function staticKinds(): KindTable {
  loaded ??= readKindTable(readAsset('kinds.bin', KIND_TABLE_SHA256))
  return loaded
}
