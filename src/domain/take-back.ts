import { foldText } from './fold-text.ts'

/** Words by which a person takes back a sentence before, a way per row. */
const TAKE_BACKS = [
  // not meant
  "(?:just |only |i'm |i was |was )*(?:kidding|joking)|jk|j/k|april fools?|psych|gotcha",
  "(?:that|this|it)(?:'s| is| was) (?:just |only |obviously |of course )*(?:a |an |my )?(?:joke|lie|test|example|mistake|error|typo|bluff|prank|exaggeration|hypothetical)",
  // withdrawn
  '(?:scratch|strike|forget|ignore|disregard) (?:that|this|it|what i|the last|my last|my previous|the above|the previous|everything i|all that|about that)',
  'never ?mind|take (?:that|it|this|everything) back|no,? wait|wait,? no|hold on,? no|actually,? no|or (?:maybe |rather |perhaps )?not(?= *[.!…]|$)|not!|^not\\.?$|on second thought|changed my mind|change of plans?|oops',
  // wrong
  "(?:that|this|it)(?:'s| is| was) (?:\\p{L}+ )?(?:wrong|false|untrue|incorrect|nonsense|rubbish|outdated|made up)(?= *[.,!;]|$)",
  "(?:that|this|it)(?:'s not| is not| was not| isn't| wasn't|'s no longer| is no longer) (?:\\p{L}+ )?(?:true|right|correct|so|serious)",
  "i (?:was|am|'m|stand) (?:\\p{L}+ )?(?:wrong|mistaken|lying|corrected)|i (?:lied|misspoke|misremembered|misread|made (?:that|it|this) up|mixed (?:\\p{L}+ ){1,3}up|got (?:that|it|this|the \\p{L}+) wrong|confused|meant)",
  'my (?:mistake|bad|error)|^or (?:was|is|were|did|maybe|perhaps)|correction|i mean(?:t)?(?= (?:it|not|no))|(?:sorry|wait|no),? i mean',
  // the sentence before was only a text to work on
  '(?:translate|rephrase|reword|rewrite|proofread|paraphrase|correct|spell-?check) (?:that|this|it|the above|the sentence)|how does (?:that|this) sound|is (?:that|this) (?:true|right|correct|sentence|good english)|said nobody|said no one|(?:who|bob|she|he) said (?:that|this)',
  // other languages
  'nur spass|war (?:nur )?ein (?:scherz|witz)|vergiss (?:das|es)|stimmt nicht|doch nicht|je plaisante|je rigole|oublie (?:ca|cela)|es broma|olvidalo|olvida eso',
]

const TAKE_BACK = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${TAKE_BACKS.join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)

/** Position of the words of a take-back; -1 where a sentence takes back nothing. */
export const takeBackAt = (sentence: string): number => foldText(sentence).search(TAKE_BACK)
