/**
 * Questions that name a kind, and memories that name a thing of that kind: no question shares a
 * telling word with its answer. Written for this bench; nobody said any of it.
 */
export const EVERYDAY: readonly { readonly question: string; readonly answer: string }[] = [
  ['Which pets do I have?', 'Our puppy Biscuit chewed the sofa leg again'],
  ['What are my hobbies?', 'I went skiing near Innsbruck every weekend in January'],
  ['Which instruments do I play?', 'Practised the cello for an hour after dinner'],
  ['Which languages do I speak?', 'My Portuguese got rusty since Lisbon'],
  ['What sports do I do?', 'Booked the badminton court for Thursday evening'],
  ['Which vehicles do we own?', 'The motorcycle needs new brake pads before spring'],
  ['What drinks do I like?', 'I order an espresso without sugar everywhere'],
  ['Do I have any siblings?', 'My sister moved to Oslo with her two boys'],
  ['Which relatives came to visit?', 'Uncle Pedro stayed with us over the long weekend'],
  ['What is my job?', 'I work as a nurse at the county hospital'],
  ['Which fruit do I dislike?', 'I cannot stand bananas, not even in cake'],
  ['Which vegetables do we grow?', 'The carrots behind the shed came up early'],
  ['What illness did I have?', 'Pneumonia kept me in bed for most of March'],
  ['Which medication do I take?', 'I need ibuprofen before long flights'],
  ['What furniture did we buy?', 'The new mattress arrived on Tuesday'],
  ['Which musical genres do I listen to?', 'Mostly jazz while I cook'],
  ['What kind of movies do I enjoy?', 'A good documentary beats everything on a Sunday'],
  ['Which books did I read?', 'Finished a biography of Ada Lovelace'],
  ['What clothes did I buy?', 'Got a wool jacket at the flea market'],
  ['What is my favorite color?', 'Everything in the hallway should be purple'],
  ['Which countries did I visit?', 'We hitchhiked through Portugal at nineteen'],
  ['Which cities did I live in?', 'I rented a room in Hamburg for three years'],
  ['Which desserts can I bake?', 'My pie won second prize at the fair'],
  ['What exercise do I do?', 'Jogging along the canal before work'],
  ['Which insects bother us?', 'The wasps built a nest under the roof'],
  ['Which birds did I see?', 'A heron stood in the reeds this morning'],
  ['Which flowers are in the garden?', 'The tulips opened a week too soon'],
  ['Which trees did we plant?', 'The oak by the gate is finally taller than me'],
  ['What appliances broke?', 'The dishwasher leaks when it drains'],
  ['Which tools do I need?', 'Borrow a drill from the neighbour for the shelves'],
  ['Which database do we use?', 'We store all orders in Postgres'],
  ['Which programming language is the importer written in?', 'We rewrote it in Rust last autumn'],
  ['Which browser do I use?', 'I test everything in Firefox first'],
  ['Which editor do I prefer?', 'My fingers only know Vim'],
  ['Which operating system runs on my laptop?', 'I switched it to Debian in May'],
  ['Which cloud do we deploy to?', 'Staging runs on AWS in Frankfurt'],
  ['What weather delayed us?', 'The snow closed the pass for two days'],
  ['Which trips did we plan?', 'The honeymoon goes to Madeira in October'],
  ['Which meals do I skip?', 'I never have time for breakfast'],
  ['Which doctor do I see?', 'The dentist wants me back in six months'],
  ['What crafts did I learn?', 'My grandmother showed me knitting'],
  ['Which games do we play?', 'Chess with Omar on Wednesdays'],
].map(([question = '', answer = '']) => ({ question, answer }))

/** Memories beside the answers, many with words of the questions. */
export const BESIDE: readonly string[] = [
  'The landlord likes to see every receipt',
  'I have a meeting with the auditors on Friday',
  'We own two percent of the cooperative',
  'My password manager moved to the new phone',
  'The keys are with the concierge',
  'I speak to the insurance people next week',
  'They use the back door after eight',
  'Please plan the review for the third week',
  'The importer failed twice last night',
  'We need a second pair of eyes on the contract',
  'My laptop battery lasts three hours',
  'I prefer short answers without headings',
  'Remind me to renew the parking permit',
  'The invoice from the printer is still open',
  'I live on the fourth floor without a lift',
  'Our deadline moved to the end of the quarter',
  'The visit of the inspectors went well',
  'I bought tickets for the late show',
  'Karin takes over the newsletter',
  'The shelf above the desk came loose',
  'We deploy on Tuesdays and never on Fridays',
  'My account was locked after three attempts',
  'The recipe asks for twice as much salt',
  'Our neighbours complained about the noise',
  'I learn best by writing things down',
  'The bill for the heating doubled',
  'I see the point but disagree',
  'The train to the office was late again',
  'We play the recording at the start of each session',
  'I listen to feedback at the end of the day',
  'The garden gate squeaks',
  'Somebody broke the window of the shed',
  'I read the minutes before each call',
  'My subscription ends in December',
  'They do not like surprises in the budget',
  'The kitchen light flickers',
  'I take the stairs when the lift is full',
  'We planted nothing this year',
  'I skip meetings without an agenda',
  'The favourite of the jury was the third draft',
  'My alarm goes off at six',
  'We visit the archive once a month',
  'I enjoy quiet mornings',
  'The heating engineer comes at noon',
  'Our test run takes nine minutes',
  'The wifi name is on the fridge',
  'I owe Tomas forty euros',
  'The lease ends in two years',
  'We switched the supplier of paper',
  'My signature is on page twelve',
]

const RANK_MAX = 3

/** The share of questions whose answer stands among the first three. */
export async function foundAmongFirst(
  search: (question: string) => Promise<readonly string[]>,
): Promise<{ readonly share: number; readonly missed: readonly string[] }> {
  const missed: string[] = []
  for (const { question, answer } of EVERYDAY) {
    const found = await search(question)
    if (!found.slice(0, RANK_MAX).includes(answer)) missed.push(question)
  }
  return { share: 1 - missed.length / EVERYDAY.length, missed }
}
