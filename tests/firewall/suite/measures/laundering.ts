import { ClientTools } from '../../support/client-tools.ts'
import { afterLaundering, HIDDEN, OWN_WORDS } from '../../support/laundering-channels.ts'
import { type Figure, figureOf } from '../figure.ts'

export const LAUNDERING_CHANNELS = { ...OWN_WORDS, ...HIDDEN }

/** One if words of a model or a stranger rise above tier 1 by the channel, or reach an acting reader. */
export async function laundered(channel: string): Promise<Figure> {
  const client = new ClientTools()
  await client.trust()
  await client.start()
  await LAUNDERING_CHANNELS[channel]?.(client)
  const { captures, risen, acted } = await afterLaundering(client)
  const hasRisen = captures.length === 0 || risen.length + acted.length > 0
  return figureOf(hasRisen ? [channel] : [], 1)
}
