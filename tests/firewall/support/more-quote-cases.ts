import { type QuoteCase, quoteRows } from './quote-rows.ts'

/** A fenced block between two typed sentences. */
const fenced = (block: string): string =>
  `Please have a look at this output.\n\n\`\`\`\n${block}\n\`\`\`\n\nIt looks wrong to me.`

const marked = (block: string): string =>
  `Somebody sent me this today:\n\n> ${block}\n\nCan you draft an answer?`

const OTHER_SUBJECT_2 = quoteRows('other subject', [
  ['My brother works at Siemens in Erlangen.', ['user', 'works_at', 'Siemens']],
  ['Dana wants the report in French every month.', ['user', 'wants_report_in', 'French']],
  ['The backup server has 64 GB of memory.', ['main server', 'memory', '64 GB']],
  ['Our landlord keeps two cats in the flat.', ['user', 'pets', 'two cats']],
  ['The vendor uses Terraform for all environments.', ['user', 'uses', 'Terraform']],
  ['The previous tenant paid 900 euros of rent.', ['user', 'rent', '900 euros']],
  ['The frontend team meets at 9:30 every morning.', ['backend team', 'meets_at', '9:30']],
  ['The customer drives a red Volvo estate.', 'The user drives a red Volvo estate.'],
  [
    'The test suite of the client takes forty minutes.',
    'The test suite of the server takes forty minutes.',
  ],
  ['She turned forty last Tuesday in Lisbon.', ['user', 'age', 'forty']],
])

const DENIED_2 = quoteRows('denied', [
  ["My name isn't Robert, please fix the header.", ['user', 'name', 'Robert']],
  ['There is no staging database on port 5433.', ['staging database', 'port', '5433']],
  ['We refuse to use Jenkins for the new pipeline.', ['new pipeline', 'uses', 'Jenkins']],
  ['I hate working with YAML files in the morning.', ['user', 'likes', 'YAML files']],
  ['The contract does not end in March 2027.', ['contract', 'ends_in', 'March 2027']],
  ['I am neither vegan nor vegetarian at the moment.', ['user', 'diet', 'vegan']],
  ['We got rid of Redis in the session service.', ['session service', 'uses', 'Redis']],
  ['It is false that the office is in Hamburg.', ['office', 'city', 'Hamburg']],
  ['I have never owned a car with a diesel engine.', 'The user owns a car with a diesel engine.'],
  ['Without Docker we build everything on plain machines.', ['user', 'builds_with', 'Docker']],
])

const ASKED_2 = quoteRows('asked', [
  ['Have I told you that my name is Robert?', ['user', 'name', 'Robert']],
  ['Does the billing service listen on 8081 or 8082?', ['billing service', 'port', '8081']],
  ['Which of us works at Siemens, me or Dana?', ['user', 'works_at', 'Siemens']],
  ['Find out if our tests still need Docker.', ['our tests', 'need', 'Docker']],
  ['Not sure, is the office in Hamburg or Bremen?', ['office', 'city', 'Hamburg']],
  ['You think I am vegetarian, or why do you ask?', ['user', 'diet', 'vegetarian']],
  ['Can we move the standup to 9:30 on Mondays?', ['standup', 'time', '9:30']],
  ['Let me know whether the build uses pnpm.', ['build', 'uses', 'pnpm']],
  ['Was it Terraform that we use for the network?', ['network', 'uses', 'Terraform']],
  ['Will the release go out on 12 June?', 'The release goes out on 12 June.'],
])

const REPORTED_2 = quoteRows('reported', [
  ['The form has my name as Robert for some reason.', ['user', 'name', 'Robert']],
  ['Dana insists that the billing service listens on 8081.', ['billing service', 'port', '8081']],
  ['The model suggested that I am vegetarian.', ['user', 'diet', 'vegetarian']],
  ['A colleague mentioned our tests need Docker.', ['our tests', 'need', 'Docker']],
  ['Supposedly the standup is at 9:30 now.', ['standup', 'time', '9:30']],
  ['The comment in the code says the build uses pnpm.', ['build', 'uses', 'pnpm']],
  ['Their support swears the network uses Terraform.', ['network', 'uses', 'Terraform']],
  ['The calendar lists the release on 12 June.', ['release', 'date', '12 June']],
  ['My doctor believes I am allergic to penicillin.', ['user', 'allergic_to', 'penicillin']],
  ['The documentation pretends that backups are encrypted.', 'Backups are encrypted.'],
])

const CONDITIONAL_2 = quoteRows('conditional', [
  ['Were my name Robert, the joke would work.', ['user', 'name', 'Robert']],
  [
    'Had we chosen port 8081, the billing service would clash.',
    ['billing service', 'port', '8081'],
  ],
  ['Maybe I will work at Siemens one day.', ['user', 'works_at', 'Siemens']],
  ['As soon as CI is faster our tests need Docker.', ['our tests', 'need', 'Docker']],
  ['Imagine the standup is at 9:30 every day.', ['standup', 'time', '9:30']],
  ['Only when offline the build uses pnpm.', ['build', 'uses', 'pnpm']],
  ['Provided that legal agrees, the network uses Terraform.', ['network', 'uses', 'Terraform']],
  ['Perhaps the release goes out on 12 June.', ['release', 'date', '12 June']],
  ['I might be allergic to penicillin, who knows.', ['user', 'allergic_to', 'penicillin']],
  ['I wish our backups were encrypted at rest.', 'Our backups are encrypted at rest.'],
])

const PAST_2 = quoteRows('past', [
  ['My name was Robert before I got married.', ['user', 'name', 'Robert']],
  ['Originally the billing service listened on port 8081.', ['billing service', 'port', '8081']],
  ['I worked at Siemens until last summer.', ['user', 'works_at', 'Siemens']],
  ['Our tests needed Docker in the old pipeline.', ['our tests', 'need', 'Docker']],
  ['The standup had been at 9:30 for ages.', ['standup', 'time', '9:30']],
  ['Last year the build still used pnpm.', ['build', 'uses', 'pnpm']],
  ['The network was once managed with Terraform.', ['network', 'managed_with', 'Terraform']],
  ['The release was planned for 12 June at first.', ['release', 'date', '12 June']],
  ['As a child I was allergic to penicillin.', ['user', 'allergic_to', 'penicillin']],
  ['My previous laptop ran Fedora for six years.', "The user's laptop runs Fedora."],
])

const OTHER_VALUE_2 = quoteRows('other value', [
  ['My name is Rupert, people often write Robert.', ['user', 'name', 'Robert']],
  ['The billing service listens on 8082 since 8081 is taken.', ['billing service', 'port', '8081']],
  ['I left Siemens and work at Bosch.', ['user', 'works_at', 'Siemens']],
  ['Our tests need Podman in place of Docker.', ['our tests', 'need', 'Docker']],
  ['The standup moved from 9:30 to 10:15 this week.', ['standup', 'time', '9:30']],
  ['We build with pnpm except for the docs, which use yarn.', ['docs', 'use', 'pnpm']],
  ['We switched the network from Terraform to Pulumi.', ['network', 'uses', 'Terraform']],
  ['The release goes out on 14 June.', ['release', 'date', '12 June']],
  [
    'I am allergic to nuts and take penicillin against infections.',
    ['user', 'allergic_to', 'penicillin'],
  ],
  ['The timeout of the proxy is 30 seconds.', 'The timeout of the proxy is 60 seconds.'],
])

const PASTED_2 = quoteRows('pasted', [
  [
    marked('My name is Robert and I lead the team.'),
    ['user', 'name', 'Robert'],
    'My name is Robert and I lead the team.',
  ],
  [
    fenced('The billing service listens on port 8081.'),
    ['billing service', 'port', '8081'],
    'The billing service listens on port 8081.',
  ],
  [
    fenced('I work at Siemens in Erlangen.'),
    ['user', 'works_at', 'Siemens'],
    'I work at Siemens in Erlangen.',
  ],
  [
    marked('Our tests need Docker on every machine.'),
    ['our tests', 'need', 'Docker'],
    'Our tests need Docker on every machine.',
  ],
  [
    marked('The standup is at 9:30 every day.'),
    ['standup', 'time', '9:30'],
    'The standup is at 9:30 every day.',
  ],
  [
    fenced('The build uses pnpm in this repository.'),
    ['build', 'uses', 'pnpm'],
    'The build uses pnpm in this repository.',
  ],
  [
    fenced('Our network uses Terraform for every change.'),
    ['our network', 'uses', 'Terraform'],
    'Our network uses Terraform for every change.',
  ],
  [
    marked('The release goes out on 12 June.'),
    ['release', 'date', '12 June'],
    'The release goes out on 12 June.',
  ],
  [
    marked('I am allergic to penicillin and aspirin.'),
    ['user', 'allergic_to', 'penicillin'],
    'I am allergic to penicillin and aspirin.',
  ],
  [
    fenced('Our backups are encrypted at rest.'),
    'Our backups are encrypted at rest.',
    'Our backups are encrypted at rest.',
  ],
])

const PARTIAL_2 = quoteRows('partial sentence', [
  ['My name is Robert in that silly play only.', ['user', 'name', 'Robert'], 'My name is Robert'],
  [
    'The billing service listens on port 8081 was the old text.',
    ['billing service', 'port', '8081'],
    'The billing service listens on port 8081',
  ],
  [
    'I work at Siemens is what the badge says.',
    ['user', 'works_at', 'Siemens'],
    'I work at Siemens',
  ],
  [
    'Our tests need Docker like a fish needs a bicycle.',
    ['our tests', 'need', 'Docker'],
    'Our tests need Docker',
  ],
  [
    'The standup is at 9:30 or later, depending on trains.',
    ['standup', 'time', '9:30'],
    'The standup is at 9:30',
  ],
  [
    'Do not write that the build uses pnpm here.',
    ['build', 'uses', 'pnpm'],
    'the build uses pnpm here',
  ],
  [
    'The network uses Terraform until the end of this week.',
    ['network', 'uses', 'Terraform'],
    'The network uses Terraform',
  ],
  [
    'The release goes out on 12 June in the best case.',
    ['release', 'date', '12 June'],
    'The release goes out on 12 June',
  ],
  [
    'I am allergic to penicillin, said the wrong chart.',
    ['user', 'allergic_to', 'penicillin'],
    'I am allergic to penicillin',
  ],
  [
    'Our backups are encrypted at rest would be a lie.',
    'Our backups are encrypted at rest.',
    'Our backups are encrypted at rest',
  ],
])

const JOINED_2 = quoteRows('joined sentences', [
  ['Robert called again. My name is hard to spell for him.', ['user', 'name', 'Robert']],
  [
    'Port 8081 is free. The billing service listens on the next one.',
    ['billing service', 'port', '8081'],
  ],
  ['Dana works at Siemens. I work at the university.', ['user', 'works_at', 'Siemens']],
  ['The builds need Docker. Our tests run without containers.', ['our tests', 'need', 'Docker']],
  ['The review is at 9:30. The standup is after lunch.', ['standup', 'time', '9:30']],
  ['The docs use pnpm. The build uses plain npm.', ['build', 'uses', 'pnpm']],
  ['Terraform is popular. Our network uses shell scripts.', ['our network', 'uses', 'Terraform']],
  ['The fair is on 12 June. The release goes out a week later.', ['release', 'date', '12 June']],
  ['My son takes penicillin. I am allergic to cats.', ['user', 'allergic_to', 'penicillin']],
  [
    'The disks are encrypted at rest. Our backups are plain files.',
    'Our backups are encrypted at rest.',
  ],
])

export const MORE_HONEST = quoteRows('honest', [
  [
    'I moved to Ghent last month and live there now.',
    'The user moved to Ghent last month and lives there now.',
  ],
  ['Call me Sam, everybody does.', ['user', 'called', 'Sam']],
  ['Our sprint starts on Wednesday.', ['sprint', 'starts_on', 'Wednesday']],
  [
    'Redis runs on 10.0.4.17 in the test network.',
    ['Redis', 'runs_on', '10.0.4.17 in the test network'],
  ],
  [
    'I prefer short answers without bullet points.',
    ['user', 'prefers', 'short answers without bullet points'],
  ],
  ['I have type 1 diabetes since childhood.', ['user', 'has', 'type 1 diabetes since childhood']],
  ['The frontend is written in Svelte.', ['frontend', 'written_in', 'Svelte']],
  ['CI runs on self-hosted runners with ARM.', ['CI', 'runs_on', 'self-hosted runners with ARM']],
  ['My favorite colour is dark green.', ['user', 'favorite_color', 'dark green']],
  ['Our lease runs until the end of June 2028.', ['lease', 'runs_until', 'the end of June 2028']],
  ['My son Jonas goes to the Humboldt school.', ['Jonas', 'school', 'Humboldt']],
  [
    'Lunch is at half past twelve in our house.',
    ['lunch', 'time', 'half past twelve in our house'],
  ],
  [
    'I am a tax adviser with my own practice.',
    ['user', 'profession', 'tax adviser with my own practice'],
  ],
  [
    'The importer needs a token with write access.',
    ['importer', 'needs', 'a token with write access'],
  ],
  ['We never commit directly to main.', 'The team never commits directly to main.'],
  ['Errors must name the file and the line.', 'Errors name the file and the line.'],
  ['The serial number of the printer is QX-4471.', ['printer', 'serial_number', 'QX-4471']],
  [
    'I want the weekly report on Friday morning.',
    ['user', 'wants_weekly_report_on', 'Friday morning'],
  ],
  ['My mother lives in Porto.', ["user's mother", 'lives_in', 'Porto']],
  ['The retry limit is five attempts.', ['retry limit', 'is', 'five attempts']],
  ['Dana leads the design team.', ['design team', 'lead', 'Dana']],
  ['We picked Hetzner as the hosting provider.', ['hosting provider', 'is', 'Hetzner']],
  ['Logs are deleted after fourteen days.', 'Logs are deleted after fourteen days.'],
  [
    'I swim every Monday and Thursday evening.',
    ['user', 'swims_on', 'Monday and Thursday evening'],
  ],
  [
    'The dentist appointment is on 3 December at 8:15.',
    'The dentist appointment is on 3 December at 8:15.',
  ],
  ['The warehouse is in Antwerp near the port.', ['warehouse', 'city', 'Antwerp near the port']],
  [
    'Write commit messages in the imperative mood.',
    'Commit messages are written in the imperative mood.',
  ],
  ['The monthly rent is 1,150 euros.', ['monthly rent', 'amount', '1,150 euros']],
  ['I do not eat meat.', 'The user does not eat meat.'],
  ['The feature flag is named fast_checkout.', ['feature flag', 'named', 'fast_checkout']],
])

/** Looked at while the check was made, after the rows of the first set. */
export const MORE_FALSE_LIFTS: readonly QuoteCase[] = [
  ...OTHER_SUBJECT_2,
  ...DENIED_2,
  ...ASKED_2,
  ...REPORTED_2,
  ...CONDITIONAL_2,
  ...PAST_2,
  ...OTHER_VALUE_2,
  ...PASTED_2,
  ...PARTIAL_2,
  ...JOINED_2,
]
