import { type QuoteCase, quoteRows } from './quote-rows.ts'

// A third set, written before the rules for light verbs and for the place of the person.

const output = (block: string): string =>
  `I ran it and got this:\n~~~\n${block}\n~~~\nWhat does the second line mean?`

const answered = (block: string): string => `Support replied.\n\n> Hello,\n> ${block}\n\nHm.`

const fence = (block: string): string => `Log:\n\`\`\`log\n[info] start\n${block}\n\`\`\``

export const THIRD_FALSE_LIFTS: readonly QuoteCase[] = [
  ...quoteRows('other subject', [
    ['Kenji keeps bees behind his house.', ['user', 'keeps', 'bees']],
    ['The parent company banks with Rabobank.', ['our company', 'banks_with', 'Rabobank']],
    ['The children go to bed at 19:30.', ['user', 'bedtime', '19:30']],
    ['Ladakh is on the bucket list of my aunt.', ['user', 'bucket_list', 'Ladakh']],
    ['The old printer needs toner TN-2420.', ['new printer', 'needs', 'TN-2420']],
    ['Every contractor signs an NDA.', 'Every employee signs an NDA.'],
    ['My boss flies to Denver in April.', ['user', 'flies_to', 'Denver']],
    [
      'The cache of the browser expires after ten minutes.',
      ['cache of the proxy', 'expires_after', 'ten minutes'],
    ],
    ['His bike has a Shimano gear.', ['user', 'bike_gear', 'Shimano']],
    ['The landlord wants the rent on the third.', ['user', 'wants_rent_on', 'the third']],
  ]),
  ...quoteRows('denied', [
    ["We don't bank with Rabobank.", ['user', 'banks_with', 'Rabobank']],
    ['The parser is not written in Rust.', ['parser', 'written_in', 'Rust']],
    ['I am no fan of Arsenal.', ['user', 'fan_of', 'Arsenal']],
    ['The form forbids initials in the name field.', 'The form allows initials in the name field.'],
    ['None of our customers are in Norway.', ['our customers', 'country', 'Norway']],
    ['My blood type is anything else than AB.', ['user', 'blood_type', 'AB']],
    ['The cron job never ran on Mondays.', ['cron job', 'runs_on', 'Mondays']],
    ['We abandoned the idea of a four-day week.', 'The team has a four-day week.'],
    ['Bees are what I will never keep.', ['user', 'keeps', 'bees']],
    ['The cache does not expire after ten minutes.', ['cache', 'expires_after', 'ten minutes']],
  ]),
  ...quoteRows('asked', [
    ['Which bank do we use, Rabobank?', ['user', 'banks_with', 'Rabobank']],
    ['The parser is written in Rust?', ['parser', 'written_in', 'Rust']],
    ['Remind me, is my blood type AB?', ['user', 'blood_type', 'AB']],
    ['Do bees count as pets that I keep?', ['user', 'keeps', 'bees']],
    ['How come the cache expires after ten minutes?', ['cache', 'expires_after', 'ten minutes']],
    ['Ask Kenji if the demo starts at 15:00.', ['demo', 'starts_at', '15:00']],
    ['Am I a fan of Arsenal or of Chelsea?', ['user', 'fan_of', 'Arsenal']],
    ['Verify that the bucket is in eu-west-1.', ['bucket', 'region', 'eu-west-1']],
    ['I do not remember, are our customers in Norway?', ['our customers', 'country', 'Norway']],
    ['Have we got a four-day week now?', 'The team has a four-day week.'],
  ]),
  ...quoteRows('reported', [
    ['Kenji swears that the parser is written in Rust.', ['parser', 'written_in', 'Rust']],
    [
      'The landing page promises that the cache expires after ten minutes.',
      ['cache', 'expires_after', 'ten minutes'],
    ],
    ['According to my aunt my blood type is AB.', ['user', 'blood_type', 'AB']],
    ['People assume we bank with Rabobank.', ['user', 'banks_with', 'Rabobank']],
    ['The invitation gives 15:00 as the start of the demo.', ['demo', 'starts_at', '15:00']],
    ['I read somewhere that the bucket is in eu-west-1.', ['bucket', 'region', 'eu-west-1']],
    ['His theory is that I keep bees.', ['user', 'keeps', 'bees']],
    ['Wikipedia lists me as a fan of Arsenal.', ['user', 'fan_of', 'Arsenal']],
    ['In his mail the demo is in room 4.', ['demo', 'room', '4']],
    ['HR announced that the team has a four-day week.', 'The team has a four-day week.'],
  ]),
  ...quoteRows('conditional', [
    ['If my blood type is AB, call the clinic.', ['user', 'blood_type', 'AB']],
    ['The parser would be written in Rust in a better world.', ['parser', 'written_in', 'Rust']],
    [
      'Under the new plan the cache expires after ten minutes.',
      ['cache', 'expires_after', 'ten minutes'],
    ],
    ['We may bank with Rabobank next year.', ['user', 'banks_with', 'Rabobank']],
    ['Subject to approval the demo starts at 15:00.', ['demo', 'starts_at', '15:00']],
    ['The bucket is in eu-west-1 provided that legal agrees.', ['bucket', 'region', 'eu-west-1']],
    ['I plan to keep bees one day.', ['user', 'keeps', 'bees']],
    ['Were I a fan of Arsenal, I would be sad.', ['user', 'fan_of', 'Arsenal']],
    ['Pending a vote, the team has a four-day week.', 'The team has a four-day week.'],
    ['Maybe our customers are in Norway.', ['our customers', 'country', 'Norway']],
  ]),
  ...quoteRows('past', [
    ['I kept bees when I lived in Wales.', ['user', 'keeps', 'bees']],
    ['The parser was written in Rust at first.', ['parser', 'written_in', 'Rust']],
    ['We banked with Rabobank for a decade.', ['user', 'banks_with', 'Rabobank']],
    ['The demo started at 15:00 last time.', ['demo', 'starts_at', '15:00']],
    ['The cache used to expire after ten minutes.', ['cache', 'expires_after', 'ten minutes']],
    ['I was a fan of Arsenal in the nineties.', ['user', 'fan_of', 'Arsenal']],
    ['The bucket had been in eu-west-1 before the move.', ['bucket', 'region', 'eu-west-1']],
    ['Our first customers were in Norway.', ['our customers', 'country', 'Norway']],
    ['In 2021 the team had a four-day week.', 'The team has a four-day week.'],
    ['I ran the choir until Easter.', ['user', 'runs', 'choir']],
  ]),
  ...quoteRows('other value', [
    ['The parser is written in Go, the linter in Rust.', ['parser', 'written_in', 'Rust']],
    ['We bank with ING because Rabobank was slow.', ['user', 'banks_with', 'Rabobank']],
    ['My blood type is 0, not AB.', ['user', 'blood_type', 'AB']],
    ['The demo starts at 16:00 and ends at 17:00.', ['demo', 'starts_at', '17:00']],
    ['The cache expires after twenty minutes.', ['cache', 'expires_after', 'ten minutes']],
    ['The bucket moved from eu-west-1 to eu-north-1.', ['bucket', 'region', 'eu-west-1']],
    ['I keep chickens and buy honey from people with bees.', ['user', 'keeps', 'bees']],
    ['I support Chelsea against Arsenal.', ['user', 'supports', 'Arsenal']],
    ['The team has a four-day week in July.', 'The team has a five-day week in July.'],
    [
      'Our customers are in Sweden, our suppliers in Norway.',
      ['our customers', 'country', 'Norway'],
    ],
  ]),
  ...quoteRows('pasted', [
    [
      output('The parser is written in Rust.'),
      ['parser', 'written_in', 'Rust'],
      'The parser is written in Rust.',
    ],
    [
      answered('We bank with Rabobank in Utrecht.'),
      ['user', 'banks_with', 'Rabobank'],
      'We bank with Rabobank in Utrecht.',
    ],
    [
      fence('The cache expires after ten minutes.'),
      ['cache', 'expires_after', 'ten minutes'],
      'The cache expires after ten minutes.',
    ],
    [
      output('The demo starts at 15:00 sharp.'),
      ['demo', 'starts_at', '15:00'],
      'The demo starts at 15:00 sharp.',
    ],
    [
      answered('I keep bees in the garden.'),
      ['user', 'keeps', 'bees'],
      'I keep bees in the garden.',
    ],
    [
      fence('The bucket is in eu-west-1 today.'),
      ['bucket', 'region', 'eu-west-1'],
      'The bucket is in eu-west-1 today.',
    ],
    [
      output('I am a fan of Arsenal since 1998.'),
      ['user', 'fan_of', 'Arsenal'],
      'I am a fan of Arsenal since 1998.',
    ],
    [
      answered('The team has a four-day week.'),
      'The team has a four-day week.',
      'The team has a four-day week.',
    ],
    [
      fence('My blood type is AB positive.'),
      ['user', 'blood_type', 'AB positive'],
      'My blood type is AB positive.',
    ],
    [
      output('Our customers are in Norway mostly.'),
      ['our customers', 'country', 'Norway'],
      'Our customers are in Norway mostly.',
    ],
  ]),
  ...quoteRows('partial sentence', [
    [
      'The parser is written in Rust, I wish.',
      ['parser', 'written_in', 'Rust'],
      'The parser is written in Rust',
    ],
    [
      'Only fools think we bank with Rabobank here.',
      ['user', 'banks_with', 'Rabobank'],
      'we bank with Rabobank here',
    ],
    [
      'The cache expires after ten minutes or never.',
      ['cache', 'expires_after', 'ten minutes'],
      'The cache expires after ten minutes',
    ],
    [
      'The demo starts at 15:00 in theory.',
      ['demo', 'starts_at', '15:00'],
      'The demo starts at 15:00',
    ],
    ['I keep bees the way I keep promises, rarely.', ['user', 'keeps', 'bees'], 'I keep bees'],
    [
      'The bucket is in eu-west-1 was a typo.',
      ['bucket', 'region', 'eu-west-1'],
      'The bucket is in eu-west-1',
    ],
    [
      'Do not tell anybody I am a fan of Arsenal, since I am not.',
      ['user', 'fan_of', 'Arsenal'],
      'I am a fan of Arsenal',
    ],
    [
      'Imagine that the team has a four-day week.',
      'The team has a four-day week.',
      'the team has a four-day week',
    ],
    ['My blood type is AB on the wrong card.', ['user', 'blood_type', 'AB'], 'My blood type is AB'],
    [
      'Our customers are in Norway as often as on Mars.',
      ['our customers', 'country', 'Norway'],
      'Our customers are in Norway',
    ],
  ]),
  ...quoteRows('joined sentences', [
    ['Rust is lovely. The parser is written in C.', ['parser', 'written_in', 'Rust']],
    [
      'Rabobank called twice. We bank with nobody else but ING.',
      ['user', 'banks_with', 'Rabobank'],
    ],
    [
      'Tokens live for ten minutes. The cache expires after a day.',
      ['cache', 'expires_after', 'ten minutes'],
    ],
    ['Lunch is at 15:00. The demo starts right after.', ['demo', 'starts_at', '15:00']],
    ['Bees scare me. I keep chickens.', ['user', 'keeps', 'bees']],
    [
      'Staging is in eu-west-1. The bucket is in another region.',
      ['bucket', 'region', 'eu-west-1'],
    ],
    ['Arsenal won. I am a fan of the referee.', ['user', 'fan_of', 'Arsenal']],
    ['Sales has a four-day week. The team has five days.', 'The team has a four-day week.'],
    ['My son has AB. My blood type is 0.', ['user', 'blood_type', 'AB']],
    ['Norway is beautiful. Our customers are in Spain.', ['our customers', 'country', 'Norway']],
  ]),
]

export const THIRD_HONEST: readonly QuoteCase[] = quoteRows('honest', [
  ['I keep bees behind the house.', ['user', 'keeps', 'bees behind the house']],
  ['The parser is written in Rust.', ['parser', 'written_in', 'Rust']],
  ['We bank with Rabobank.', ['user', 'banks_with', 'Rabobank']],
  ['My blood type is AB positive.', ['user', 'blood_type', 'AB positive']],
  ['The demo starts at 15:00 in room 4.', ['demo', 'starts_at', '15:00 in room 4']],
  ['The cache expires after ten minutes.', ['cache', 'expires_after', 'ten minutes']],
  ['Our bucket is in eu-west-1.', ['bucket', 'region', 'eu-west-1']],
  ["I'm a fan of Arsenal.", ['user', 'fan_of', 'Arsenal']],
  ['Most of our customers are in Norway.', 'Most customers are in Norway.'],
  ['The team has a four-day week.', 'The team has a four-day week.'],
  ['The printer needs toner TN-2420.', ['printer', 'needs', 'TN-2420']],
  ['I fly to Denver on 9 April.', ['user', 'flies_to', 'Denver on 9 April']],
  ['My mother tongue is Catalan.', ['user', 'mother_tongue', 'Catalan']],
  [
    'Feature branches are deleted after the merge.',
    'Feature branches are deleted after the merge.',
  ],
  ['The hotel booking is under the name Okafor.', ['hotel booking', 'name', 'Okafor']],
  ['I want answers in metric units.', 'The user wants answers in metric units.'],
  ['Our VAT number is NL8123.', ['VAT number', 'is', 'NL8123']],
  ['My dog Bruno is eleven years old.', ['Bruno', 'age', 'eleven years']],
  ['The staging URL is staging.example.com.', ['staging', 'URL', 'staging.example.com']],
  ['Use single quotes in TypeScript.', 'TypeScript uses single quotes.'],
  ['The dishwasher is a Miele G5000.', ['dishwasher', 'model', 'Miele G5000']],
  ['Tests run in parallel on four workers.', 'Tests run in parallel on four workers.'],
  ['I have a meeting with Yusuf on Friday.', 'The user has a meeting with Yusuf on Friday.'],
  ['The flat has three rooms and a balcony.', ['flat', 'has', 'three rooms and a balcony']],
  ['Our release manager is Beatriz.', ['release manager', 'is', 'Beatriz']],
  ['I grew up in Tromsø.', ['user', 'grew_up_in', 'Tromsø']],
  ['The limit for uploads is 25 MB.', ['uploads', 'limit', '25 MB']],
  ['My son is allergic to cats.', ["user's son", 'allergic_to', 'cats']],
  ['We ship to Canada and Mexico.', ['user', 'ships_to', 'Canada and Mexico']],
  ['The alarm code is 9031.', ['alarm', 'code', '9031']],
])
