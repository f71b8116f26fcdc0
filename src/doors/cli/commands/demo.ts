import { runStory } from '../demo/story.ts'
import { EXIT } from '../exit-codes.ts'
import type { Command } from '../spec/command.ts'

export const demo: Command = {
  name: 'demo',
  group: 'first',
  summary: 'The whole story on a throw-away stack: capture, derive, refuse, echo, explain, audit.',
  positionals: [],
  options: [],
  examples: ['muniment demo'],
  notes: ['Takes a few seconds, needs no network and no key, and leaves nothing behind.'],
  takesInput: false,
  run: async (session) => {
    const { host, page } = session
    const started = host.now()
    const scene = await host.scene()
    const release = host.onInterrupt(() => {
      scene.close()
      return ''
    })
    try {
      const shown = await runStory(scene, { page, say: (lines) => session.say(lines) })
      const found = shown.audit.ok && !shown.auditAfterTampering.ok
      const seconds = ((host.now() - started) / 1000).toFixed(1)
      return {
        json: { ok: found, ...shown },
        text: ({ ink }) => [
          '',
          ink.faint(`Took ${seconds} s. Now with your own words: npx muniment init`),
        ],
        exit: found ? EXIT.ok : EXIT.internal,
      }
    } finally {
      release()
      scene.close()
    }
  },
}
