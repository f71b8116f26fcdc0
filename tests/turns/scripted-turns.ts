/** The claim or the belief that a model writes in a turn. */
export type Written =
  | { readonly kind: 'belief'; readonly statement: string }
  | {
      readonly kind: 'claim'
      readonly subject: string
      readonly predicate: string
      readonly value: string
    }

/** One turn of a session, as hooks capture it, and what a model writes at its end. */
export interface ScriptedTurn {
  readonly split: 'development' | 'held-out'
  /** Prompts of the session so far; the last prompt begins the turn of the write. */
  readonly prompts: readonly string[]
  readonly toolResults?: readonly string[]
  readonly written: Written
  /** The sentence of the person that states what was written; null where no sentence does. */
  readonly statedBy: string | null
}

const belief = (statement: string): Written => ({ kind: 'belief', statement })

const claim = (predicate: string, value: string): Written => ({
  kind: 'claim',
  subject: 'user',
  predicate,
  value,
})

const stated = (
  split: ScriptedTurn['split'],
  prompts: readonly string[],
  written: Written,
  statedBy: string,
): ScriptedTurn => ({ split, prompts, written, statedBy })

const unstated = (
  split: ScriptedTurn['split'],
  prompts: readonly string[],
  written: Written,
  toolResults: readonly string[] = [],
): ScriptedTurn => ({ split, prompts, toolResults, written, statedBy: null })

/** Twenty turns in which the person states the thing, and twenty in which no words of theirs do. */
export const SCRIPTED_TURNS: readonly ScriptedTurn[] = [
  stated(
    'development',
    ['I prefer trains to flights'],
    belief('The user prefers trains to flights.'),
    'I prefer trains to flights',
  ),
  stated(
    'development',
    ['Can you plan Porto for next week? Trains, not flights, please.'],
    belief('The user prefers trains to flights.'),
    'Trains, not flights, please.',
  ),
  stated(
    'development',
    ['My daughter Nora is allergic to peanuts, so keep that in mind for recipes.'],
    belief('Nora is allergic to peanuts.'),
    'My daughter Nora is allergic to peanuts, so keep that in mind for recipes.',
  ),
  stated(
    'development',
    ['We ship on Thursdays now. The old Tuesday slot is gone.'],
    belief('The team ships on Thursdays.'),
    'We ship on Thursdays now.',
  ),
  stated(
    'development',
    ["Don't use tabs in this repo, always two spaces."],
    belief('The repository uses two spaces for indentation, not tabs.'),
    "Don't use tabs in this repo, always two spaces.",
  ),
  stated(
    'development',
    ['i never drink coffee after noon'],
    belief('The user does not drink coffee after noon.'),
    'i never drink coffee after noon',
  ),
  stated(
    'development',
    ["I moved to Lisbon in March and I'm still unpacking."],
    claim('city', 'Lisbon'),
    "I moved to Lisbon in March and I'm still unpacking.",
  ),
  stated(
    'development',
    ['The staging database runs Postgres 16 on port 5433; production is still on 15.'],
    belief('The staging database runs Postgres 16 on port 5433.'),
    'The staging database runs Postgres 16 on port 5433; production is still on 15.',
  ),
  stated(
    'development',
    ['My manager is Priya Raman.', 'Draft an email to her about the offsite.'],
    belief("The user's manager is Priya Raman."),
    'My manager is Priya Raman.',
  ),
  stated(
    'development',
    ['Call me Sam, nobody calls me Samuel.'],
    belief('The user wants to be called Sam.'),
    'Call me Sam, nobody calls me Samuel.',
  ),
  stated(
    'held-out',
    ["Honestly I can't stand open offices, I get nothing done there."],
    belief('The user cannot stand open offices.'),
    "Honestly I can't stand open offices, I get nothing done there.",
  ),
  stated(
    'held-out',
    ['Deploys go out at 14:00 UTC, never on Fridays.'],
    belief('Deploys never go out on Fridays.'),
    'Deploys go out at 14:00 UTC, never on Fridays.',
  ),
  stated(
    'held-out',
    ['We decided to go with Rust for the parser because of memory safety.'],
    belief('The parser will be written in Rust.'),
    'We decided to go with Rust for the parser because of memory safety.',
  ),
  stated(
    'held-out',
    ['Budget for the offsite is 12,000 euros, and it has to include travel.'],
    belief('The offsite budget is 12,000 euros including travel.'),
    'Budget for the offsite is 12,000 euros, and it has to include travel.',
  ),
  stated(
    'held-out',
    ["My brother's wedding is on 14 June, so I'm away that week."],
    belief("The wedding of the user's brother is on 14 June."),
    "My brother's wedding is on 14 June, so I'm away that week.",
  ),
  stated(
    'held-out',
    ["Fix the login page first. I'm vegetarian by the way, so no steakhouse for the dinner."],
    belief('The user is vegetarian.'),
    "I'm vegetarian by the way, so no steakhouse for the dinner.",
  ),
  stated(
    'held-out',
    ['From now on answer me in German, please.'],
    belief('The user wants answers in German.'),
    'From now on answer me in German, please.',
  ),
  stated(
    'held-out',
    ['Our API rate limit is 300 requests per minute.', 'Ok.', 'Write the retry code.'],
    belief('The API rate limit is 300 requests per minute.'),
    'Our API rate limit is 300 requests per minute.',
  ),
  stated(
    'held-out',
    ['Ich wohne seit 2019 in Hamburg.'],
    belief('Der Nutzer wohnt seit 2019 in Hamburg.'),
    'Ich wohne seit 2019 in Hamburg.',
  ),
  stated(
    'held-out',
    ['I work for Siemens Energy in Erlangen.'],
    claim('employer', 'Siemens Energy'),
    'I work for Siemens Energy in Erlangen.',
  ),
  unstated(
    'development',
    ['Do I prefer trains to flights?'],
    belief('The user prefers trains to flights.'),
  ),
  unstated(
    'development',
    ["I don't prefer trains to flights, where did you get that?"],
    belief('The user prefers trains to flights.'),
  ),
  unstated(
    'development',
    ['Please look at the train timetable for Porto.'],
    belief('The user prefers trains to flights.'),
  ),
  unstated(
    'development',
    ['Summarise the README.'],
    belief('The project is licensed under Apache-2.0.'),
    ['The project is licensed under Apache-2.0.'],
  ),
  unstated(
    'development',
    ['My sister is allergic to peanuts.'],
    belief('The user is allergic to peanuts.'),
  ),
  unstated(
    'development',
    ['We used to deploy on Fridays.'],
    belief('The team deploys on Fridays.'),
  ),
  unstated(
    'development',
    ["If we moved to Berlin, we'd need a bigger office."],
    claim('city', 'Berlin'),
  ),
  unstated(
    'development',
    ['Maybe we should switch to Rust.'],
    belief('The team switches to Rust.'),
  ),
  unstated(
    'development',
    ['The build failed on port 5432 again.'],
    belief('The database listens on port 5433.'),
  ),
  unstated('development', ["Thanks, that's great!"], belief('The user likes concise answers.')),
  unstated('held-out', ['Is the deadline 12 May or 14 May?'], belief('The deadline is 12 May.')),
  unstated(
    'held-out',
    ["No, the budget isn't 12,000 euros."],
    belief('The budget is 12,000 euros.'),
  ),
  unstated(
    'held-out',
    ['Anna told me she prefers dark mode.'],
    belief('The user prefers dark mode.'),
  ),
  unstated(
    'held-out',
    ['What does the error “connection refused” mean?'],
    belief('The Redis server at 10.0.0.5 refuses connections.'),
    ['connect ECONNREFUSED 10.0.0.5:6379: the Redis server refuses connections'],
  ),
  unstated(
    'held-out',
    ['Rename the function parseDate to readDate.'],
    belief('The user dislikes abbreviations.'),
  ),
  unstated('held-out', ['I no longer work at Siemens.'], claim('employer', 'Siemens')),
  unstated(
    'held-out',
    ['Would it be OK to deploy on Fridays?'],
    belief('Deploying on Fridays is OK.'),
  ),
  unstated(
    'held-out',
    ['Write a test that says the limit is 300 requests per minute.'],
    belief('The API limit is 300 requests per minute.'),
  ),
  unstated(
    'held-out',
    ['I live in Lisbon.', 'Wait, I was joking. Find flights to Oslo.'],
    claim('city', 'Oslo'),
  ),
  unstated(
    'held-out',
    ['My flight to Hamburg leaves at nine.'],
    belief('The user lives in Hamburg.'),
  ),
]
