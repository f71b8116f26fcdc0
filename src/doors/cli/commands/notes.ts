import type { OperationName } from '../../../operations/operations.ts'

type Lines = Readonly<Partial<Record<OperationName, readonly string[]>>>

const EVIDENCE = [
  'Evidence counts when it rests on other first-hand words than the memory does, and once each.',
  'Anything else is written down as said and moves no number.',
]

const FIRST_HAND =
  'What a person or a tool said is not a model’s to take away: a model’s wish is put up for review (6).'

/** Notes of help pages, beside the arguments. */
export const NOTES: Lines = {
  list: ['Without a kind: the newest of every kind.'],
  claim: ['The value is JSON where it reads as JSON (42, true, ["a"]), otherwise text.'],
  search: [
    '--explain tells of each what every signal gave to its score.',
    '--why-not <ref> tells what keeps a memory out, and what would bring it in.',
  ],
  load: ['With --json everything, with priorities and what was left out and why.'],
  dump: ['With --json the JSON dump. For files: muniment export, muniment import.'],
  history: ['Of a memory. Of a line, by its subject and predicate: muniment history user city.'],
  line: ['The same as muniment history <subject> <predicate>.'],
  audit: [
    'Ends with 4 when something is not as it was written.',
    '--against takes a file with what checkpoint printed, or “-” for stdin. A full rewrite of the',
    'ledger shows in no other way.',
  ],
  checkpoint: [
    'Keep what it prints in a file elsewhere: muniment audit --against <file> reads it back.',
  ],
  prove: [
    'Anyone checks it, with the key that checkpoint prints: muniment check <file> --key <key>',
  ],
  certificate: [
    'Of a memory and all that went with it. Anyone checks it, with the key that checkpoint prints:',
    'muniment check <file> --key <key>',
  ],
  clock: [
    'Only a person corrects; anyone may look. Times then follow the clock again, back or ahead.',
    'What was dated before keeps its dates, and the audit accepts the step at that entry alone.',
  ],
  state: ['Only a person can change it; anyone may look.'],
  erase: [
    'Without --yes it only says what would go. What was captured with it goes too.',
    'Only a person erases: a model’s wish is put up for review (6). The same words stay out.',
  ],
  distrust: [
    'Without --yes it only says what would change. Without a name: whom nothing is believed of.',
    'Only a person can: a model’s wish about one memory is put up for review (6). Nothing is lost.',
  ],
  unlink: [
    'The memory then has a place of its own in search, load and review.',
    'Only a person can: a model’s proposal is put up for review (6).',
  ],
  forget: [FIRST_HAND],
  weaken: [FIRST_HAND],
  describe: [FIRST_HAND, 'Raising confidence without evidence takes a person’s word.'],
  supersede: [FIRST_HAND],
  end: [FIRST_HAND],
  retract: [FIRST_HAND],
  adjudicate: [
    'A person’s word is enough; anyone else names first-hand evidence. A model’s wish is put up for review (6).',
  ],
  recast: ['Only a person says so: values that contested each other may then stand side by side.'],
  verify: EVIDENCE,
  reinforce: EVIDENCE,
  review: [
    'Anyone may look; only a person can answer.',
    'suggestion: accept, dismiss · proposal: accept, dismiss · flagged: keep, forget · quarantine: reject, accept',
    'contest: affirm, deny, unknown',
  ],
  trust: ['Without a name: everyone of whom something was said. Only a person can give a score.'],
  maintain: [
    'Safe to repeat: a second run finds nothing to do.',
    'Only a person can do it, at a terminal or with a token; anyone may ask for --dry-run.',
  ],
}

export const ALSO_USED: Lines = { history: ['history <subject> <predicate>'] }

/** Further examples, where a single example does not show the purpose of a command. */
export const EXAMPLES: Lines = {
  goal: [
    'muniment goal "Ship v2 without downtime" --status completed',
    'muniment goal goal:1a2b3c4d --status paused',
  ],
  search: ['muniment search "table locks" --kind belief --min-confidence 0.6'],
  load: ['muniment load --context project:muniment --json'],
  list: [
    'muniment list note --type decision --tag deploy',
    'muniment list goal --status active',
    'muniment list --all',
  ],
  claim: [
    'muniment claim user city Paris --valid-from 2024-05',
    'muniment claim user skill rust --cardinality SetValued',
  ],
  history: ['muniment history user city'],
  audit: ['muniment audit --against head.txt', 'muniment audit --since 0 --to 99'],
  checkpoint: ['muniment checkpoint > head.txt'],
  prove: ['muniment prove belief:1a2b3c4d > receipt.json'],
  certificate: ['muniment certificate note:1a2b3c4d > erased.json'],
  ask: ['muniment ask user city --valid-at 2021', 'muniment ask user city --as-of 2026-01-31'],
  protect: ['muniment protect value:1a2b3c4d --off'],
  review: [
    'muniment review suggestion:1a2b3c4d accept',
    'muniment review belief:1a2b3c4d forget --reason "nothing supports it"',
  ],
  trust: ['muniment trust deploy-bot --domain deploys'],
  dump: ['muniment dump --no-raw > memories.md'],
  maintain: ['muniment maintain --dry-run'],
  distrust: [
    'muniment distrust --actor deploy-bot --yes --basis compromised',
    'muniment distrust --actor deploy-bot --off',
  ],
  unlink: ['muniment unlink note:0197 --reason "another rule, about another table"'],
}
