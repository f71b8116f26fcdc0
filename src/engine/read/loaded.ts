import type { Loaded, LoadedItem } from './load.ts'
import type { Served } from './served.ts'

/** All items of working memory, highest priority first. */
export const itemsIn = ({ _meta, ...shelves }: Loaded): readonly LoadedItem[] =>
  Object.values(shelves)
    .flat()
    .filter(isItem)
    .sort((a, b) => b.priority - a.priority)

/** Components may put members of their own beside the sections. */
const isItem = (item: Partial<LoadedItem> | null): item is LoadedItem =>
  typeof item === 'object' && typeof item?.content === 'string' && item.memory !== undefined

export const servedByLoad = ({ _meta, ...shelves }: Loaded): readonly Served[] =>
  Object.values(shelves).flatMap((items) => items.map(({ memory }) => memory))
