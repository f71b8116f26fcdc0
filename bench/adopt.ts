import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM } from './built.ts'
import type { Record } from './report.ts'
import { sized } from './size.ts'

const FILE_MB = sized(300, 1)
const RSS_MB_MAX = 1_024
const MB = 1_048_576
const MESSAGES = 40 // of one conversation
const WORDS = [
  'the train to the coast left late because a tree lay on the line',
  'a small garden needs water in the morning and shade at noon',
  'write the test first, then the code, then read both once more',
  'the old map shows a road that nobody has used for forty years',
]

/** A synthetic account export of ChatGPT, as large as asked for. */
async function writeExport(file: string): Promise<number> {
  const out = createWriteStream(file)
  let [bytes, messages] = [0, 0]
  const write = async (text: string): Promise<void> => {
    bytes += Buffer.byteLength(text)
    if (!out.write(text)) await once(out, 'drain')
  }
  await write('[')
  for (let number = 0; bytes < FILE_MB * MB; number += 1) {
    await write(`${number === 0 ? '' : ','}\n${JSON.stringify(conversation(number))}`)
    messages += MESSAGES
  }
  await write('\n]\n')
  out.end()
  await once(out, 'finish')
  return messages
}

function conversation(number: number): object {
  const nodeId = (index: number): string => `c${number}-n${index}`
  const nodes = Array.from({ length: MESSAGES }, (_, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant'
    const sentence = WORDS[(number + index) % WORDS.length] ?? ''
    const words = `${number}.${index}: ${`${sentence}, said ${role} ${index}. `.repeat(role === 'user' ? 4 : 24)}`
    return {
      id: nodeId(index),
      parent: index === 0 ? null : nodeId(index - 1),
      children: index === MESSAGES - 1 ? [] : [nodeId(index + 1)],
      message: {
        id: nodeId(index),
        author: { role, name: null, metadata: {} },
        create_time: 1_714_521_600 + number * 600 + index,
        content: { content_type: 'text', parts: [words] },
        status: 'finished_successfully',
        weight: 1,
        metadata: role === 'assistant' ? { model_slug: 'gpt-4o' } : {},
        recipient: 'all',
      },
    }
  })
  return {
    title: `Talk ${number}`,
    create_time: 1_714_521_600 + number * 600,
    mapping: Object.fromEntries(nodes.map((node) => [node.id, node])),
    current_node: nodeId(MESSAGES - 1),
    conversation_id: `c${number}`,
  }
}

const REPORT_MEMORY =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\nmaxrss "+process.resourceUsage().maxRSS+"\\n"))'

interface Ran {
  readonly seconds: number
  readonly rssMb: number
  readonly answer: { readonly sources: readonly { readonly taken: { readonly taken: number } }[] }
}

async function adopt(home: string, file: string): Promise<Ran> {
  const begun = performance.now()
  const args = ['--import', REPORT_MEMORY, PROGRAM, 'adopt', file, '--yes', '--json']
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, MUNIMENT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`muniment adopt ended with ${code}: ${err}`)
  const rssMb = Number(/maxrss (\d+)/.exec(err)?.[1]) / 1_024
  return { seconds: (performance.now() - begun) / 1_000, rssMb, answer: JSON.parse(out) }
}

/** Takes a large export, and takes the same file again. */
export async function benchAdopt(record: Record): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error('Build first: npm run build')
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  try {
    const file = join(home, 'conversations.json')
    const messages = await writeExport(file)
    const megabytes = statSync(file).size / MB
    record({ name: 'size of a synthetic ChatGPT export', value: megabytes, unit: 'MB' })
    const first = await adopt(join(home, 'memory'), file)
    const taken = first.answer.sources[0]?.taken.taken ?? 0
    if (taken !== messages) throw new Error(`${taken} of ${messages} messages came in`)
    record({ name: 'messages taken', value: taken, unit: 'messages' })
    record({ name: 'adopt: count, ask the gate, write', value: first.seconds, unit: 's' })
    const budget = `at most ${RSS_MB_MAX} MB`
    const met = first.rssMb <= RSS_MB_MAX
    record({ name: 'most memory of the process', value: first.rssMb, unit: 'MB', budget, met })
    const again = await adopt(join(home, 'memory'), file)
    if (again.answer.sources[0]?.taken.taken !== 0) throw new Error('a second run took again')
    record({ name: 'the same file once more', value: again.seconds, unit: 's' })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
