import type { JsonObject } from '../../../domain/kinds/json-value.ts'
import type { EndedEpoch } from '../../../engine/epochs/epochs.ts'
import type { ProcessReport } from '../../../engine/processing/run/process.ts'
import type { ComponentsAnswer } from '../../operate/work-handlers.ts'
import type { Page } from './page.ts'
import { table } from './table.ts'
import { jsonText, oneLine, plural, shortRef } from './words.ts'

const STATUS: Readonly<Record<ProcessReport['steps'][number]['status'], string>> = {
  done: 'done',
  not_due: 'nothing due',
  needs_model: 'needs a model',
  failed: 'failed',
}

export function processedPage({ steps, spent }: ProcessReport, { ink }: Page): readonly string[] {
  const made = steps.flatMap((step) => step.made)
  const rows = steps.map(({ transition, status, examined, made: own, dropped, error }) => [
    { text: transition },
    { text: error ?? STATUS[status] },
    { text: examined === 0 ? '' : `${examined} looked at, ${own.length} suggested` },
    {
      text: Object.entries(dropped)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', '),
    },
  ])
  return [
    ...table(rows),
    ...(spent.calls > 0 ? [`${plural(spent.calls, 'call')}, ${spent.tokens} tokens`] : []),
    ...made.map((ref) => `  ${ink.good('made')}  ${ink.ref(shortRef(ref))}`),
    ...(made.length > 0 ? [ink.faint('  next: muniment review')] : []),
  ]
}

export function anxietyPage(found: JsonObject | null, { ink }: Page): readonly string[] {
  if (found === null) return ['There is nothing to measure by yet.']
  const { level, score, dimensions, actions } = found
  const named = Object.entries(dimensions as Readonly<Record<string, number>>) // as the component reports
  const helps = actions as readonly { readonly what: string; readonly dimension: string }[]
  return [
    `${ink.strong(String(level))} (${score} of 100)`,
    ...table(named.map(([name, value]) => [{ text: `  ${name}` }, { text: String(value) }])),
    ...helps.map(({ what, dimension }) => `  ${oneLine(what)} ${ink.faint(dimension)}`),
  ]
}

export function componentsPage(answer: ComponentsAnswer, { ink }: Page): readonly string[] {
  if (!('components' in answer)) {
    return answer.report === null
      ? [`${answer.name} has nothing to say.`]
      : [jsonText(answer.report)]
  }
  return table(
    answer.components.map(({ name, version, required, needsInference, failing }) => [
      { text: name },
      { text: version },
      {
        text: [required && 'required', needsInference && 'uses a model'].filter(Boolean).join(', '),
      },
      failing.length === 0
        ? { text: 'ok' }
        : { text: 'failing', shown: ink.bad(`fails in ${failing.join(', ')}`) },
    ]),
  )
}

export function concludedPage({ epoch, summary }: EndedEpoch, { ink }: Page): readonly string[] {
  const { epochNumber, name } = epoch.body
  return [
    `Epoch ${epochNumber}, ${oneLine(name)}, has ended.`,
    ...(summary
      ? [
          `  ${ink.ref(shortRef(summary.summary.ref))} tells of ${plural(summary.covers.length, 'memory', 'memories')}`,
        ]
      : ['  It had no memories to tell of.']),
  ]
}
