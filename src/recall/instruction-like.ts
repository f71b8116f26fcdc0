import { foldText } from '../domain/words/terms.ts'

// Words that tell a reader to do something. The fence does not depend on this list: missed lines
// still stand behind a bar, and matched lines are marked but never removed.

const WHOM =
  '(?:previous|prior|preceding|above|earlier|foregoing|all|any|every|your|these|those|the|my|system)'
const RULES =
  '(?:instructions?|rules?|prompts?|guidelines?|directions?|commands?|context|constraints?|messages?|polic(?:y|ies)|training|safety)'
const SECRETS =
  '(?:system prompt|prompt|api[ _-]?keys?|passwords?|passphrases?|credentials?|secrets?|access tokens?|private keys?|instructions)'
const PEOPLE = '(?:users?|humans?|operators?|owners?|anyone|anybody|them)'
const DO =
  '(?:call|run|execute|invoke|reply|respond|answer|output|print|write|send|forward|click|visit|open|delete|remove|email|transfer|buy|approve|ignore|obey|comply|include|append|recommend)'

const ANYWHERE: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|bypass|drop|skip)\\b.{0,40}\\b${WHOM}\\b.{0,40}\\b${RULES}\\b`,
  ),
  /\byou are (?:now|no longer)\b|\bpretend (?:to be|that you|you)\b|\bfrom now on,? you\b|\bact as (?:an?|the|my)\b/,
  /\byour (?:new|real|true|only|next|actual) (?:task|instructions?|role|goal|job|objective|purpose)\b/,
  new RegExp(
    `\\b(?:reveal|print|repeat|show|output|leak|send|forward|upload|post|exfiltrate|give)\\b.{0,60}\\b${SECRETS}\\b`,
  ),
  new RegExp(
    `\\b(?:do not|don't|never|without)\\b.{0,30}\\b(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|warn|warning|ask|asking)\\b.{0,30}\\b${PEOPLE}\\b`,
  ),
  /\b(?:important|urgent|new|updated|revised|following|additional|hidden|secret) (?:instructions?|directives?|system (?:message|update|prompt|note))\b/,
  new RegExp(
    `\\b(?:you|the (?:assistant|model|agent|ai)) (?:must|should|shall|have to|has to|need to|needs to|will|are to|is to) (?:now |immediately |always |first |also |instead |only )?${DO}\\b`,
  ),
  /\b(?:call|invoke|use|run|execute) the [\w-]+ (?:tool|function|command|script)\b/,
  /\b(?:execute|run|eval) (?:the following|this|these) (?:code|commands?|scripts?|shell)\b/,
  /\b(?:as an ai|as a language model|dear (?:ai|assistant|model)|attention,? (?:ai|assistant|model|agent))\b/,
  /\b(?:developer|god|admin|debug|jailbreak|dan) mode\b/,
]

/** A line that opens like the turn of another speaker. */
const TURN =
  /^[\s#*>_[({|-]*(?:system|assistant|developer|human|user|tool|instructions?|ai)(?: (?:prompt|message|note|instructions?|override|update))?\s*[\])}>*_]*(?:\(#?\w+\))?\s*:/

/** A line that gives the reader a task. */
const TASK =
  /^(?:please,? |now,? |then,? |also,? |first,? |instead,? |(?:can|could|would|will) you (?:please )?)?(?:write|draft|compose|explain|translate|summari[sz]e|paraphrase|calculate|compute|solve|generate|create|provide|describe|tell (?:me|us|the)|give (?:me|us|the)|answer|respond|reply|send|forward|click|visit|download|execute|encode|decode|convert|recommend|suggest|advise|list|compare|analy[sz]e|evaluate|identify|classify|predict|infer|determine|recite|pretend|insert|append|modify|alter|replace|mask|encrypt|obfuscate|hide|ignore|disregard|obey)\b/

const LOOKED_AT_MAX = 2_000 // characters of a line; the rest stands behind the same bar

/** True when a line reads like an instruction to its reader. */
export function isInstructionLike(line: string): boolean {
  const plain = foldText(line.slice(0, LOOKED_AT_MAX)).replace(/\s+/g, ' ').trim()
  return TURN.test(plain) || TASK.test(plain) || ANYWHERE.some((pattern) => pattern.test(plain))
}

const NAMES =
  'recalled-memory|system|user|assistant|human|developer|ai|tool[\\w-]*|function[\\w-]*|invoke|parameter|instructions?|prompt|context|documents?|data|im_\\w+|s|inst|sys|eot|bos|eos|\\w+:\\w+'

// Turn marks that programs put before a model: tags, `<|…|>`, `[INST]`, `<<SYS>>`.
const MARKS = new RegExp(
  `<(?=\\s*(?:[/|<]\\s*)?(?:${NAMES})\\b)|<(?=\\|)|\\[(?=\\/?inst\\])`,
  'giu',
)

/** A line with turn marks spelt out, so that no program or model takes the line for a turn. */
export const withoutMarks = (line: string, spelt: (character: string) => string): string =>
  line.replace(MARKS, spelt)
