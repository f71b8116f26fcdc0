const NAMES = ['Anna', 'Ben', 'Carla', 'David', 'Elena', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas']
const FAMILIES = [
  'Abel',
  'Brandt',
  'Costa',
  'Duarte',
  'Ekberg',
  'Fontana',
  'Gruber',
  'Haas',
  'Ito',
  'Jansen',
]

/** A hundred people. */
export const PEOPLE: readonly string[] = FAMILIES.flatMap((family) =>
  NAMES.map((name) => `${name} ${family}`),
)
export const CITIES = ['Berlin', 'Lisbon', 'Oslo', 'Kyoto', 'Quito'] as const

const NOTES: readonly string[] = [
  'The nightly backup job copies 3 volumes to the archive on Monday',
  'Anna reviews every pull request for the billing service before lunch',
  'Most customers of the shop pay by card and receive a printed invoice',
  'The staging cluster restarts all workers at 6 in the morning',
  'Ben owns the release checklist and sends the summary to the team',
  'The mobile app stores 20 drafts on the phone until the network returns',
  'Support answers some tickets within 4 hours on Tuesday',
  'Carla keeps the design tokens in one file for the web client',
  'The export writes 12 columns and a header to the report',
  'Every test of the parser runs on Linux and on a small board',
  'The search index is rebuilt in January after the audit',
  'David approves travel requests that cost less than 500 euros',
  'The kitchen orders fresh bread for 30 people on Friday',
  'All doors of the warehouse close at 9 in the evening',
  'The museum lends 2 paintings to the school in March',
  'Elena trains the new drivers for 5 weeks near the harbour',
  'The newsletter goes to many readers in Spain on the first Sunday',
  'Farid checks the pumps of the plant twice a week',
  'The choir rehearses 3 songs in the old hall on Wednesday',
  'Greta pays the rent for the workshop in April',
]

type Change = readonly [from: RegExp, to: string]

/** Ten ways in which a note is brought up to date; each changes what the note says. */
const CHANGES: readonly (readonly Change[])[] = [
  [
    [
      /^(.*?) (copies|reviews|pay|restarts|owns|stores|answers|keeps|writes|runs|is rebuilt|approves|orders|close|lends|trains|goes|checks|rehearses|pays) /,
      '$1 no longer $2 ',
    ],
  ],
  [
    [/\b(\d+)\b/, '7'],
    [/^((?!.*\d).*)$/, '$1 in 8 places'],
  ],
  [
    [/Monday|Tuesday|Wednesday|Friday|Sunday/, 'Thursday'],
    [/January|March|April/, 'October'],
    [/^((?!.*(Thursday|October)).*)$/, '$1 since May'],
  ],
  [
    [/Anna|Ben|Carla|David|Elena|Farid|Greta/, 'Ines'],
    [/^((?!.*Ines).*)$/, '$1, says Hugo'],
  ],
  [
    [/Most|All|Every|every|some|many|one/, 'few'],
    [/^((?!.*few).*)$/, '$1, but only sometimes'],
  ],
  [[/$/, '. The budget for this was doubled']],
  [[/$/, '. A contractor takes over from summer on']],
  [[/^(.*)$/, 'It is not true that $1']],
  [[/^/, 'Until last year: ']],
  [[/^(.*)$/, '$1, except during holidays']],
]

export interface Update {
  readonly before: string
  readonly after: string
}

/** Two hundred notes, each with a later note that differs by one fact. */
export const UPDATES: readonly Update[] = NOTES.flatMap((before) =>
  CHANGES.map((steps) => ({
    before,
    after: steps.reduce(
      (text, [from, to]) => (text === before ? text.replace(from, to) : text),
      before,
    ),
  })),
)

const PARTS = [
  'parser',
  'scheduler',
  'importer',
  'mailer',
  'cache',
  'gateway',
  'console',
  'indexer',
  'uploader',
  'billing job',
]
const FACTS = [
  'The {part} of Harbor reads its settings from a file',
  'The {part} of Harbor logs every request with a trace number',
  'We decided to rewrite the {part} of Harbor in small steps',
  'Anna maintains the {part} of Harbor',
  'Ben maintains the tests for the {part} of Harbor',
  'The {part} of Harbor fails when the disk is full',
  'The {part} of Harbor needs 2 workers in production',
  'The {part} of Harbor needs 4 workers in staging',
  'The {part} of Harbor was released in March',
  'The {part} of Harbor will be released again in June',
  'The {part} of Harbor does not retry after a timeout',
  'The {part} of Harbor retries after a lost connection',
  'Customers rarely notice the {part} of Harbor',
  'Carla asked for a dashboard about the {part} of Harbor',
  'The {part} of Harbor writes to the blue queue',
  'The {part} of Harbor reads from the green queue',
  'Old clients call the {part} of Harbor without a token',
  'New clients call the {part} of Harbor with a token',
  'The memory of the {part} of Harbor grows overnight',
  'The owner of the {part} of Harbor changes every quarter',
]

/** Two hundred different notes about one project. */
export const PROJECT_NOTES: readonly string[] = PARTS.flatMap((part) =>
  FACTS.map((fact) => fact.replace('{part}', part)),
)
