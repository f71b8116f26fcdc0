import { Entity, openStack } from './built.ts'
import { WRITER_NOTES } from './size.ts'

const [home = '', number = ''] = process.argv.slice(2)
const stack = await openStack('bench', { home })
const entity = new Entity(`writer-${number}`)
await entity.attachStack(stack)
await Promise.all(
  Array.from({ length: 8 }, async (_, lane) => {
    for (let turn = 0; turn < 63; turn += 1) {
      if (lane * 63 + turn < WRITER_NOTES)
        await entity.note(`note ${turn} of lane ${lane} by ${number}`, { observed: true })
    }
  }),
)
await stack.close()
