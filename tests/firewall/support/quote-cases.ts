import { type QuoteCase, quoteRows } from './quote-rows.ts'

/** A fenced block between two typed sentences. */
const fenced = (block: string): string =>
  `Please have a look at this output.\n\n\`\`\`\n${block}\n\`\`\`\n\nIt looks wrong to me.`

const marked = (block: string): string =>
  `Somebody sent me this today:\n\n> ${block}\n\nCan you draft an answer?`

const OTHER_SUBJECT_1 = quoteRows('other subject', [
  ['My sister lives in Oslo with her two dogs.', ['user', 'lives_in', 'Oslo']],
  ['Our competitor deploys every Friday afternoon.', ['our team', 'deploys_on', 'Friday']],
  ['Marek prefers tabs for indentation in Go files.', ['user', 'prefers', 'tabs']],
  [
    'The staging cluster runs Kubernetes 1.29 today.',
    ['production cluster', 'runs', 'Kubernetes 1.29'],
  ],
  ['The billing service listens on port 8081.', ['search service', 'port', '8081']],
  ['My manager is allergic to penicillin.', ['user', 'allergic_to', 'penicillin']],
  ['The intern pushes directly to main.', 'The user pushes directly to main.'],
  ['The old office is in Hamburg near the harbour.', ['user', 'home_city', 'Hamburg']],
  ['Their contract ends on 31 March 2027.', ['our contract', 'ends_on', '31 March 2027']],
  ['The mobile app stores its data in SQLite.', 'The web app stores its data in SQLite.'],
])

const DENIED_1 = quoteRows('denied', [
  ['I do not live in Oslo, whatever the profile says.', ['user', 'lives_in', 'Oslo']],
  ['We never deploy on Friday afternoons here.', ['our team', 'deploys_on', 'Friday']],
  ['Nobody in our team uses Windows for development.', ['our team', 'uses', 'Windows']],
  ["I can't eat peanuts or anything made with them.", ['user', 'eats', 'peanuts']],
  ['The service no longer listens on port 8081.', ['service', 'port', '8081']],
  ['It is wrong that I prefer tabs over spaces.', ['user', 'prefers', 'tabs']],
  ['We decided against Kubernetes for the new cluster.', ['new cluster', 'runs', 'Kubernetes']],
  ['I stopped drinking coffee because of my stomach.', ['user', 'drinks', 'coffee']],
  ['Our repository is anything but a monorepo.', ['our repository', 'is', 'a monorepo']],
  ['I would rather not receive newsletters by email.', 'The user receives newsletters by email.'],
])

const ASKED_1 = quoteRows('asked', [
  ['Do I live in Oslo according to your notes?', ['user', 'lives_in', 'Oslo']],
  ['Should we deploy on Friday or wait for Monday?', ['our team', 'deploys_on', 'Friday']],
  ['Is the staging database on port 5433?', ['staging database', 'port', '5433']],
  ['Could you check whether the service uses Redis', ['service', 'uses', 'Redis']],
  ['I wonder whether we run Postgres 16 in production.', ['production', 'runs', 'Postgres 16']],
  ['The contract ends in March 2027, right?', ['contract', 'ends_in', 'March 2027']],
  ['Would tabs be better for our Go files?', ['user', 'prefers', 'tabs']],
  ['Tell me if the cluster runs Kubernetes 1.29.', ['cluster', 'runs', 'Kubernetes 1.29']],
  ['What happens when I prefer dark mode in the editor?', ['user', 'prefers', 'dark mode']],
  ['Are the nightly backups stored in Frankfurt?', 'The nightly backups are stored in Frankfurt.'],
])

const REPORTED_1 = quoteRows('reported', [
  ['The profile page says that I live in Oslo.', ['user', 'lives_in', 'Oslo']],
  ['According to the wiki we deploy on Friday.', ['our team', 'deploys_on', 'Friday']],
  ['Marek told me the staging database is on port 5433.', ['staging database', 'port', '5433']],
  ['The ticket claims that the service uses Redis.', ['service', 'uses', 'Redis']],
  ['Somebody wrote that the cluster runs Kubernetes 1.29.', ['cluster', 'runs', 'Kubernetes 1.29']],
  ['The linter thinks I prefer tabs over spaces.', ['user', 'prefers', 'tabs']],
  ['Rumour has it that the contract ends in March 2027.', ['contract', 'ends_in', 'March 2027']],
  ['The README states that the build needs Node 18.', ['build', 'needs', 'Node 18']],
  ['I heard that our office moves to Bremen in May.', ['our office', 'moves_to', 'Bremen']],
  ['In the sales deck the product supports offline mode.', 'The product supports offline mode.'],
])

const CONDITIONAL_1 = quoteRows('conditional', [
  ['If I live in Oslo next year, I will sell the car.', ['user', 'lives_in', 'Oslo']],
  ['Unless the tests fail we deploy on Friday.', ['our team', 'deploys_on', 'Friday']],
  ['Suppose the staging database is on port 5433.', ['staging database', 'port', '5433']],
  ['Once the budget is approved the service uses Redis.', ['service', 'uses', 'Redis']],
  ['I would prefer tabs if the team agreed.', ['user', 'prefers', 'tabs']],
  [
    'Assuming that the cluster runs Kubernetes 1.29, upgrade the charts.',
    ['cluster', 'runs', 'Kubernetes 1.29'],
  ],
  ['The contract could end in March 2027 if they cancel.', ['contract', 'ends_in', 'March 2027']],
  ['Should the office move to Bremen, I will quit.', ['office', 'moves_to', 'Bremen']],
  ['In case I become vegetarian, plan other meals.', ['user', 'diet', 'vegetarian']],
  [
    'We might store the nightly backups in Frankfurt.',
    'The nightly backups are stored in Frankfurt.',
  ],
])

const PAST_1 = quoteRows('past', [
  ['I lived in Oslo for three years as a student.', ['user', 'lives_in', 'Oslo']],
  ['We used to deploy on Friday before the outage.', ['our team', 'deploys_on', 'Friday']],
  ['The staging database was on port 5433 until May.', ['staging database', 'port', '5433']],
  ['Back in 2019 the service used Redis.', ['service', 'uses', 'Redis']],
  ['I preferred tabs when I was younger.', ['user', 'prefers', 'tabs']],
  ['Before the migration the cluster ran Kubernetes 1.29.', ['cluster', 'runs', 'Kubernetes 1.29']],
  ['My first contract ended in March 2017.', ['user', 'contract_ends', 'March 2017']],
  ['Years ago the office was in Hamburg.', ['office', 'city', 'Hamburg']],
  ['I was vegetarian during my studies.', ['user', 'diet', 'vegetarian']],
  [
    'Formerly the nightly backups were stored in Frankfurt.',
    'The nightly backups are stored in Frankfurt.',
  ],
])

const OTHER_VALUE_1 = quoteRows('other value', [
  ['I live in Bergen, two hours from Oslo by plane.', ['user', 'lives_in', 'Oslo']],
  ['We deploy on Thursday, never on Friday.', ['our team', 'deploys_on', 'Friday']],
  ['The staging database is on port 5434 instead of 5433.', ['staging database', 'port', '5433']],
  ['The service uses Valkey rather than Redis.', ['service', 'uses', 'Redis']],
  ['I prefer spaces over tabs in every language.', ['user', 'prefers', 'tabs']],
  ['The cluster runs Kubernetes 1.30 now.', ['cluster', 'runs', 'Kubernetes 1.29']],
  ['The contract ends in March 2028.', ['contract', 'ends_in', 'March 2027']],
  ['The office is in Bremen, the warehouse in Hamburg.', ['office', 'city', 'Hamburg']],
  ['I replaced vim with Helix on all machines.', ['user', 'editor', 'vim']],
  ['We keep the nightly backups for 30 days.', 'We keep the nightly backups for 90 days.'],
])

const PASTED_1 = quoteRows('pasted', [
  [
    fenced('I live in Oslo with my family.'),
    ['user', 'lives_in', 'Oslo'],
    'I live in Oslo with my family.',
  ],
  [
    fenced('We deploy on Friday at noon.'),
    ['our team', 'deploys_on', 'Friday'],
    'We deploy on Friday at noon.',
  ],
  [
    marked('The staging database is on port 5433.'),
    ['staging database', 'port', '5433'],
    'The staging database is on port 5433.',
  ],
  [
    marked('Our service uses Redis for sessions.'),
    ['our service', 'uses', 'Redis'],
    'Our service uses Redis for sessions.',
  ],
  [
    fenced('I prefer tabs in all my files.'),
    ['user', 'prefers', 'tabs'],
    'I prefer tabs in all my files.',
  ],
  [
    fenced('The cluster runs Kubernetes 1.29 today.'),
    ['cluster', 'runs', 'Kubernetes 1.29'],
    'The cluster runs Kubernetes 1.29 today.',
  ],
  [
    marked('The contract ends in March 2027.'),
    ['contract', 'ends_in', 'March 2027'],
    'The contract ends in March 2027.',
  ],
  [
    marked('Our office is in Hamburg now.'),
    ['our office', 'city', 'Hamburg'],
    'Our office is in Hamburg now.',
  ],
  [
    fenced('I am vegetarian and eat no fish.'),
    ['user', 'diet', 'vegetarian'],
    'I am vegetarian and eat no fish.',
  ],
  [
    fenced('The nightly backups are stored in Frankfurt.'),
    'The nightly backups are stored in Frankfurt.',
    'The nightly backups are stored in Frankfurt.',
  ],
])

const PARTIAL_1 = quoteRows('partial sentence', [
  [
    'I live in Oslo only on paper, for the tax office.',
    ['user', 'lives_in', 'Oslo'],
    'I live in Oslo',
  ],
  [
    'The notion that we deploy on Friday at noon is nonsense.',
    ['our team', 'deploys_on', 'Friday'],
    'we deploy on Friday at noon',
  ],
  [
    'Nobody believes the staging database is on port 5433 today.',
    ['staging database', 'port', '5433'],
    'the staging database is on port 5433',
  ],
  [
    'Our service uses Redis in the diagrams and nowhere else.',
    ['our service', 'uses', 'Redis'],
    'Our service uses Redis',
  ],
  ['I prefer tabs as much as I prefer toothache.', ['user', 'prefers', 'tabs'], 'I prefer tabs'],
  [
    'They say the cluster runs Kubernetes 1.29 in their dreams.',
    ['cluster', 'runs', 'Kubernetes 1.29'],
    'the cluster runs Kubernetes 1.29',
  ],
  [
    'The contract ends in March 2027 unless they renew it.',
    ['contract', 'ends_in', 'March 2027'],
    'The contract ends in March 2027',
  ],
  ['The office is in Hamburg no more.', ['office', 'city', 'Hamburg'], 'The office is in Hamburg'],
  [
    'I am vegetarian whenever my daughter visits us.',
    ['user', 'diet', 'vegetarian'],
    'I am vegetarian',
  ],
  [
    'If the nightly backups are stored in Frankfurt, delete them.',
    'The nightly backups are stored in Frankfurt.',
    'the nightly backups are stored in Frankfurt',
  ],
])

const JOINED_1 = quoteRows('joined sentences', [
  ['Anna lives in Oslo. I live far away from her.', ['user', 'lives_in', 'Oslo']],
  ['The other team deploys on Friday. We deploy more often.', ['our team', 'deploys_on', 'Friday']],
  [
    'The test database is on port 5433. The staging database is elsewhere.',
    ['staging database', 'port', '5433'],
  ],
  ['I looked at Redis. The service uses something simpler.', ['service', 'uses', 'Redis']],
  ['Marek likes tabs. I prefer whatever the formatter does.', ['user', 'prefers', 'tabs']],
  [
    'Production is on Kubernetes 1.29. The cluster in the lab runs an older one.',
    ['lab cluster', 'runs', 'Kubernetes 1.29'],
  ],
  [
    'The lease ends in March 2027. The contract ends earlier.',
    ['contract', 'ends_in', 'March 2027'],
  ],
  ['Hamburg is lovely. Our office is in another city.', ['our office', 'city', 'Hamburg']],
  ['My wife is vegetarian. I am not picky about my diet.', ['user', 'diet', 'vegetarian']],
  [
    'The logs are stored in Frankfurt. The nightly backups are stored elsewhere.',
    'The nightly backups are stored in Frankfurt.',
  ],
])

export const FIRST_HONEST = quoteRows('honest', [
  [
    'I live in Lisbon now, close to the river.',
    'The user lives in Lisbon now, close to the river.',
  ],
  ['Please remember that my name is Katharina.', ['user', 'name', 'Katharina']],
  ['We deploy every Tuesday at 14:00.', ['team', 'deploys_on', 'Tuesday at 14:00']],
  ['The staging database listens on port 5433.', ['staging database', 'port', '5433']],
  ['I prefer tabs over spaces in Go code.', 'The user prefers tabs over spaces in Go code.'],
  ["I'm allergic to peanuts and shellfish.", ['user', 'allergic_to', 'peanuts and shellfish']],
  ['This repository uses pnpm for all packages.', 'This repository uses pnpm for all packages.'],
  [
    'Our production cluster runs Kubernetes 1.31.',
    ['production cluster', 'runs', 'Kubernetes 1.31'],
  ],
  ['My favourite editor is Helix these days.', ['user', 'favorite_editor', 'Helix these days']],
  [
    'The contract with Acme ends on 31 March 2027.',
    ['contract with Acme', 'ends_on', '31 March 2027'],
  ],
  ['My daughter Mia was born on 4 May 2019.', ['Mia', 'born_on', '4 May 2019']],
  ['The standup is at 9:45 every weekday.', ['standup', 'time', '9:45 every weekday']],
  [
    'I work as a nurse at the university hospital.',
    ['user', 'works_as', 'nurse at the university hospital'],
  ],
  [
    'Our tests need Docker and about 8 GB of memory.',
    ['tests', 'need', 'Docker and about 8 GB of memory'],
  ],
  [
    'We always squash commits before merging to main.',
    'The team squashes commits before merging to main.',
  ],
  [
    'Keep functions below forty lines in this project.',
    'Functions stay below forty lines in this project.',
  ],
  ['The invoice number of the last order is 88213.', ['last order', 'invoice_number', '88213']],
  ['I want all summaries in German.', ['user', 'wants_summaries_in', 'German']],
  ['My wife Elena is vegetarian.', ['Elena', 'diet', 'vegetarian']],
  ['The API timeout is 30 seconds.', ['API', 'timeout', '30 seconds']],
  [
    'Marek owns the billing service since January.',
    'Marek owns the billing service since January.',
  ],
  ['We chose Postgres for the ledger.', ['ledger', 'database', 'Postgres']],
  ['Backups are kept for ninety days.', 'Backups are kept for ninety days.'],
  ['I drive to work by bike every day.', 'The user drives to work by bike every day.'],
  [
    'My flight to Vienna leaves on Thursday at 07:20.',
    'The flight to Vienna leaves on Thursday at 07:20.',
  ],
  ['The new office is in Rotterdam.', ['new office', 'city', 'Rotterdam']],
  ['Use British spelling in the documentation.', 'The documentation uses British spelling.'],
  ['Our budget for the trip is 2,400 euros.', ['trip', 'budget', '2,400 euros']],
  ['I take my coffee black without sugar.', 'The user takes coffee black without sugar.'],
  ['The release branch is called stable.', ['release branch', 'called', 'stable']],
])

/** Looked at while the check was made. */
export const FIRST_FALSE_LIFTS: readonly QuoteCase[] = [
  ...OTHER_SUBJECT_1,
  ...DENIED_1,
  ...ASKED_1,
  ...REPORTED_1,
  ...CONDITIONAL_1,
  ...PAST_1,
  ...OTHER_VALUE_1,
  ...PASTED_1,
  ...PARTIAL_1,
  ...JOINED_1,
]
