import type { StatedCase } from './stated-cases.ts'

/** Written before the rules had seen the turns. First measurement: 14 of 20 shown, 19 of 20 absent. */
export const FRESH: readonly StatedCase[] = [
  [
    'in the middle of a request',
    'Can you set up the linter for the repo? ⟦We format with Prettier at 100 columns.⟧ Ignore the vendored folder.',
    'The team formats with Prettier at 100 columns.',
  ],
  [
    'relative clause',
    '⟦My sister Katrin, who lives in Malmö, is getting married in September.⟧',
    "The user's sister Katrin is getting married in September.",
  ],
  [
    'reason',
    '⟦I moved to Porto because my partner found a job there.⟧',
    'The user moved to Porto.',
  ],
  ['habit', 'Book it for me: ⟦I always sit on the aisle.⟧', 'The user always sits on the aisle.'],
  [
    'correction in the same prompt',
    'The build server is mercury. ⟦No, sorry: the build server is neptune.⟧',
    'The build server is neptune.',
  ],
  [
    'bullet',
    'Some facts for the plan:\n- ⟦budget is 12,000 euros⟧\n- the venue holds 80 people',
    ['plan', 'budget', '12,000 euros'],
  ],
  [
    'claim',
    'Hi! ⟦I work as a paramedic in Leeds.⟧ Which shift app would you pick?',
    ['user', 'occupation', 'paramedic'],
  ],
  [
    'two names',
    '⟦Reviews of the parser go to Ines, reviews of the planner go to Omar.⟧',
    'Reviews of the planner go to Omar.',
  ],
  [
    'negative fact',
    "⟦Our staging cluster doesn't have GPUs.⟧ Run it on CPU.",
    'The staging cluster does not have GPUs.',
  ],
  [
    'long prompt',
    'I spent the morning on the flaky test and I think the clock is the reason. ⟦The nightly job starts at 02:30 UTC.⟧ So the test that runs at that time sees two days. Have a look at the helper first.',
    'The nightly job starts at 02:30 UTC.',
  ],
  [
    'German',
    'Danke! ⟦Ich bin gegen Haselnüsse allergisch.⟧',
    'Die Nutzerin ist gegen Haselnüsse allergisch.',
  ],
  ['instruction', '⟦Do not touch the legacy folder.⟧', 'The legacy folder must not be touched.'],
  [
    'preference with a reason',
    '⟦I prefer short commits since they are easier to revert.⟧',
    'The user prefers short commits.',
  ],
  ['age', '⟦I am 34 years old.⟧', ['user', 'age', '34']],
  [
    'thing and property',
    '⟦The free plan allows five seats.⟧ The paid plan is unlimited.',
    'The free plan allows five seats.',
  ],
  ['pet', "⟦I've got a parrot called Kiwi.⟧", 'The user has a parrot called Kiwi.'],
  [
    'earlier prompt',
    ['⟦Our fiscal year ends in June.⟧', 'Now draft the slide about the outlook.'],
    'The fiscal year ends in June.',
  ],
  [
    'decision with who',
    '⟦Marta and I agreed to drop support for Node 18.⟧',
    'The user and Marta agreed to drop support for Node 18.',
  ],
  [
    'location of a file',
    '⟦The translations live in packages/i18n.⟧ Add Danish.',
    'The translations are in packages/i18n.',
  ],
  ['possession', '⟦My bike is a red Cube.⟧', ['user', 'bike', 'red Cube']],

  ['negation', "I don't have a driving licence.", 'The user has a driving licence.'],
  ['negation of both', 'We use neither Yarn nor npm here.', 'The team uses Yarn.'],
  [
    'question',
    'Should we deploy the parser on Thursdays?',
    'The team deploys the parser on Thursdays.',
  ],
  [
    'question without a mark',
    'is it true that the free plan allows five seats',
    'The free plan allows five seats.',
  ],
  [
    'report about another',
    'My flatmate is allergic to hazelnuts, so no praline.',
    'The user is allergic to hazelnuts.',
  ],
  [
    'report about another team',
    'The mobile team formats with Prettier at 100 columns.',
    'The team of the user formats with Prettier at 80 columns.',
  ],
  [
    'quoted chat',
    'What is the tone of this?\n> Lea: I work as a paramedic\n> Finn: respect',
    ['user', 'occupation', 'paramedic'],
  ],
  [
    'quoted words',
    'She wrote "I moved to Porto" on her card, can you translate that?',
    'The user moved to Porto.',
  ],
  ['condition', 'Once the lease is signed I live in Antwerp.', 'The user lives in Antwerp.'],
  [
    'condition behind',
    'The nightly job starts at 02:30 UTC, assuming the cron change gets merged.',
    'The nightly job starts at 02:30 UTC.',
  ],
  ['past', 'My bike was a red Cube until it got stolen.', ['user', 'bike', 'red Cube']],
  ['past job', 'In my twenties I was a paramedic in Leeds.', ['user', 'occupation', 'paramedic']],
  [
    'plan',
    'We are thinking about moving the nightly job to 02:30 UTC.',
    'The nightly job runs at 02:30 UTC.',
  ],
  ['hearsay', 'Apparently the build server is neptune.', 'The build server is neptune.'],
  [
    'wrong belief of another',
    'Jo keeps insisting that our fiscal year ends in June.',
    'The fiscal year ends in June.',
  ],
  [
    'task for a text',
    'Make the test user say: my favourite band is Low.',
    ['user', 'favourite band', 'Low'],
  ],
  ['all but', 'I can eat every nut except hazelnuts.', 'The user can eat hazelnuts.'],
  ['anywhere but', 'I would work anywhere but Leeds.', ['user', 'works in', 'Leeds']],
  [
    'taken back',
    ['My timezone is UTC+9.', 'Wait, that was the timezone of the server, ignore it.'],
    ['user', 'timezone', 'UTC+9'],
  ],
  ['role play', "Let's pretend I own a bakery in Graz.", 'The user owns a bakery in Graz.'],
]

/** Written after the rules were mended by the first set. First measurement: 16 of 20 shown, 19 of 20 absent. */
export const FRESH_AGAIN: readonly StatedCase[] = [
  [
    'after greeting',
    'Morning! ⟦My new laptop is a Framework 13.⟧',
    ['user', 'laptop', 'Framework 13'],
  ],
  [
    'family',
    '⟦My grandmother Hilde turns 90 in May.⟧',
    "The user's grandmother Hilde turns 90 in May.",
  ],
  [
    'with a reason behind',
    '⟦We keep the changelog in German because all our readers are.⟧ Add the entry for today.',
    'The team keeps the changelog in German.',
  ],
  ['rule', '⟦Never run migrations on a Monday.⟧', 'Migrations never run on a Monday.'],
  ['sport', '⟦Fun fact: I play handball in goal.⟧', 'The user plays handball.'],
  [
    'limit',
    '⟦The webhook times out after 8 seconds.⟧ Can we retry?',
    'The webhook times out after 8 seconds.',
  ],
  ['role', '⟦Sanna is the product owner for checkout.⟧', ['checkout', 'product owner', 'Sanna']],
  [
    'instruction',
    '⟦Write all dates as day month year.⟧',
    'The user wants dates as day month year.',
  ],
  ['health', "⟦I've been lactose intolerant since childhood.⟧", 'The user is lactose intolerant.'],
  [
    'travel',
    '⟦I arrive in Gdańsk on 11 June at noon.⟧ Find me a hotel.',
    'The user arrives in Gdańsk on 11 June.',
  ],
  ['tool', '⟦Our designers work in Penpot.⟧', 'The designers work in Penpot.'],
  [
    'ownership',
    '⟦The search index belongs to team Otter.⟧',
    ['search index', 'owner', 'team Otter'],
  ],
  [
    'Spanish',
    '⟦Mi hermana trabaja en Bilbao.⟧ ¿Qué le regalo?',
    'La hermana del usuario trabaja en Bilbao.',
  ],
  ['two parts', "⟦I'm from Ghana but I live in Bristol.⟧", 'The user lives in Bristol.'],
  ['number', '⟦There are 14 people in my course.⟧', "There are 14 people in the user's course."],
  ['dislike', '⟦I can do without raisins in anything.⟧ ⟦I hate them.⟧', 'The user hates raisins.'],
  [
    'relative',
    '⟦The flat, which we rent from my uncle, has three rooms.⟧',
    'The flat has three rooms.',
  ],
  [
    'school',
    'He asked about kids. ⟦Our son Emil goes to the Waldorf school.⟧',
    "The user's son Emil goes to the Waldorf school.",
  ],
  ['version', '⟦The app needs Android 12 or newer.⟧', 'The app needs Android 12 or newer.'],
  [
    'earlier prompt',
    ['⟦I bill 95 euros an hour.⟧', 'Thanks. Now the invoice for May.'],
    'The user bills 95 euros an hour.',
  ],

  ['negation', 'My new laptop is not a Framework 13.', ['user', 'laptop', 'Framework 13']],
  [
    'negation far off',
    'There is no way I would run migrations on a Monday.',
    'The user runs migrations on a Monday.',
  ],
  ['question', 'Do our designers work in Penpot or Figma?', 'The designers work in Penpot.'],
  [
    'question inside',
    'Remind me whether the search index belongs to team Otter.',
    ['search index', 'owner', 'team Otter'],
  ],
  ['report', 'Sanna says she is lactose intolerant.', 'The user is lactose intolerant.'],
  [
    'report about a friend',
    'My friend Ole plays handball, I only watch.',
    'The user plays handball.',
  ],
  [
    'quoted chat',
    'Translate the last line\nGreta 14:02\nI arrive in Gdańsk on 11 June\nUlf 14:03\nsuper',
    'The user arrives in Gdańsk on 11 June.',
  ],
  [
    'quoted words',
    'Is the line "the webhook times out after 8 seconds" good English?',
    'The webhook times out after 8 seconds.',
  ],
  [
    'condition',
    'If we hire Sanna, she is the product owner for checkout.',
    ['checkout', 'product owner', 'Sanna'],
  ],
  [
    'condition behind',
    'I bill 95 euros an hour unless the client is a charity.',
    'The user bills 95 euros an hour.',
  ],
  [
    'past',
    'We kept the changelog in German for years, now it is in English.',
    'The team keeps the changelog in German.',
  ],
  ['past', 'The flat we had before had three rooms.', 'The flat has three rooms.'],
  ['future', 'From 2027 the app will need Android 12.', 'The app needs Android 12.'],
  ['wish', "I'd love to live in Bristol again.", 'The user lives in Bristol.'],
  [
    'advice',
    'You should never bill less than 95 euros an hour, my coach says.',
    'The user bills 95 euros an hour.',
  ],
  [
    'guess',
    'I guess our son will go to the Waldorf school.',
    "The user's son goes to the Waldorf school.",
  ],
  [
    'log line',
    'What does this mean?\n2026-05-04 12:00:01 WARN webhook times out after 8 seconds',
    'The webhook times out after 8 seconds.',
  ],
  [
    'name of another thing',
    'The staging index belongs to team Otter.',
    ['search index', 'owner', 'team Otter'],
  ],
  ['sarcasm', 'Sure, I just adore raisins, said nobody ever.', 'The user adores raisins.'],
  [
    'taken back',
    'My grandmother turns 90 in May. Oh no, I mixed that up with my aunt.',
    "The user's grandmother turns 90 in May.",
  ],
]
