import { useOperation } from '../../state/query.ts'
import { When } from '../../ui/badges.tsx'
import { count } from '../../ui/format.ts'

/** The last head that was signed, and how old the newest entry is that it covers. */
export function Checkpoint() {
  const heads = useOperation('heads', {}, { still: true })
  const size = Number(heads.value?.heads.at(-1)?.split('\n')[1] ?? 0)
  const entry = useOperation('entries', size > 0 ? { from: size - 1, limit: 1 } : null, {
    still: true,
  })
  const [line] = entry.value?.entries ?? []
  const time = line && (JSON.parse(line.entry) as { readonly time: string }).time // canonical JSON
  return (
    <div class="card tile">
      <div class="figure">{size > 0 ? count(size) : 'none'}</div>
      <div class="soft">
        {size > 0 ? 'entries under the last signed head' : 'No head was signed yet'}
        {time && ', '}
        {time && <When at={time} />}
      </div>
    </div>
  )
}
