/** English words that carry grammar and hardly any content; Will and May stay out as names. */
const ARTICLES = 'a an the this that these those some any each every such'
const PRONOUNS =
  'i me my mine we us our ours you your yours he him his she her hers it its they them their theirs ' +
  'myself yourself himself herself itself ourselves themselves'
const QUESTIONS = 'what which who whom whose when where why how'
const LINKS = 'and or but if so as than then because while though although'
const PLACES = 'of to in on at by for from with into onto about over under up down out off'
const VERBS =
  'am is are was were be been being do does did doing done has have had having can could would shall ' +
  'should might must'
const REST = 'not no nor there here just also too very'

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  [ARTICLES, PRONOUNS, QUESTIONS, LINKS, PLACES, VERBS, REST].join(' ').split(' '),
)
