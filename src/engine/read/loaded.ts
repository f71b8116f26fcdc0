import type { Loaded, LoadedItem } from './load.ts'

/** Everything in working memory, the most important first. */
export const itemsIn = ({ _meta, ...shelves }: Loaded): readonly LoadedItem[] =>
  Object.values(shelves)
    .flat()
    .filter(isItem)
    .sort((a, b) => b.priority - a.priority)

/** Components may put members of their own beside the shelves. */
const isItem = (item: Partial<LoadedItem> | null): item is LoadedItem =>
  typeof item === 'object' && typeof item?.content === 'string' && item.memory !== undefined
