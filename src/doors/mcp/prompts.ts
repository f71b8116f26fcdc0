import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { LIMITS } from '../../domain/limits.ts'
import type { ToolContext } from '../../operations/tool.ts'
import { runLineage } from '../../operations/tools/lineage.ts'
import { reviewTool } from '../../operations/tools/review.ts'
import { loadTool, SEARCH_QUERY_CHARS_MAX, searchTool } from '../../operations/tools/search.ts'

/** Prompts a person asks for by name; each brings its memory along, fenced. */
export const PROMPTS = [
  {
    name: 'why',
    title: 'Why do you think that?',
    description: 'Where something comes from, down to the first words.',
    arguments: [
      { name: 'about', description: 'A ref (kind:id), or words to look for.', required: true },
    ],
  },
  {
    name: 'review',
    title: 'What waits for me?',
    description: 'Goes through the review queue; you decide, in a terminal.',
    arguments: [],
  },
  {
    name: 'handoff',
    title: 'Hand over',
    description: 'Sums up for whoever goes on: what is known, what is open.',
    arguments: [{ name: 'context', description: 'Such as project:name.', required: false }],
  },
] as const

type Arguments = Readonly<Record<string, string>>

export async function getPrompt(
  context: ToolContext,
  name: string,
  given: Arguments,
): Promise<GetPromptResult> {
  const prompt = PROMPTS.find((each) => each.name === name)
  if (!prompt) throw invalid('There is no such prompt.')
  const missing = prompt.arguments.find((each) => each.required && !given[each.name]?.trim())
  if (missing) throw invalid(`${name} needs ${missing.name}.`)
  for (const each of prompt.arguments) assertLength(name, each.name, given[each.name])
  const text = await textOf(context, prompt.name, given)
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

async function textOf(
  context: ToolContext,
  name: (typeof PROMPTS)[number]['name'],
  given: Arguments,
): Promise<string> {
  switch (name) {
    case 'why':
      return why(context, given.about ?? '')
    case 'review': {
      const { text } = await reviewTool.run(context, reviewTool.input.parse({}))
      return `${text}\n\nTell me of each in a sentence: what it says, why it waits, what speaks for and against it. I decide, in a terminal: muniment review <ref> <answer>.`
    }
    case 'handoff': {
      const about = given.context === undefined ? {} : { context: given.context }
      const { text } = await loadTool.run(context, loadTool.input.parse(about))
      return `${text}\n\nHand over to whoever goes on after you: what is known and from whom, what was decided and why, what is open, what to do next. Name the refs it rests on. Then keep it with memory_note, those refs in derived_from.`
    }
  }
}

/** Maximum length of an argument, as in the tool behind the prompt. */
const CHARS_MAX = { about: SEARCH_QUERY_CHARS_MAX, context: LIMITS.shortTextCharsMax } as const

function assertLength(prompt: string, argument: keyof typeof CHARS_MAX, text = ''): void {
  const most = CHARS_MAX[argument]
  if (text.length <= most) return
  throw invalid(
    `The prompt ${prompt} was not made: ${argument} has ${text.length} characters and takes at most ${most}. Give fewer words${argument === 'about' ? ', or a ref (kind:id)' : ''}.`,
  )
}

const REF = /^(?:[a-z_]+:)?[0-9a-f-]{4,36}$/

async function why(context: ToolContext, about: string): Promise<string> {
  if (!REF.test(about)) {
    const { text } = await searchTool.run(context, searchTool.input.parse({ query: about }))
    return `${text}\n\nWhy is that remembered? Take the one I mean, call meta_lineage for it, and tell me who said what, when, and which rule let it in. Say so if it rests on a model alone.`
  }
  const { structured, text } = await runLineage(context, { memory_id: about })
  return `${text}\n\nTell me in your own words why ${structured.ref} is remembered: who said what, when, and which rule let it in. Say so if it rests on a model alone.`
}

const invalid = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message)
