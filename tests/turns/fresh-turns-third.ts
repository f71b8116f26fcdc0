import type { StatedCase } from './stated-cases.ts'

/** Written after the rules were mended by the second set. First measurement: 18 of 20 shown, 19 of 20 absent. */
export const FRESH_THIRD: readonly StatedCase[] = [
  ['hobby', '⟦I collect vinyl records from the seventies.⟧', 'The user collects vinyl records.'],
  [
    'server',
    'The deploy hangs. ⟦Our registry is at registry.acme.dev.⟧ Can you curl it?',
    ['registry', 'address', 'registry.acme.dev'],
  ],
  [
    'neighbour',
    '⟦My neighbour Aino waters the plants when we travel.⟧',
    'Aino waters the plants when the user travels.',
  ],
  [
    'course',
    "⟦I'm doing a master's in statistics at Uppsala.⟧",
    "The user is doing a master's in statistics at Uppsala.",
  ],
  ['rule', '⟦Every pull request needs a screenshot.⟧', 'Every pull request needs a screenshot.'],
  [
    'rule with a reason',
    '⟦Commits are signed, because the auditors ask for it.⟧',
    'Commits are signed.',
  ],
  ['name', '⟦Please call me Bea, nobody says Beatrice.⟧', ['user', 'name', 'Bea']],
  ['size', '⟦My shoe size is 42.⟧ Which model runs large?', ['user', 'shoe size', '42']],
  [
    'team',
    '⟦Our team is spread over Lima, Quito and Cusco.⟧',
    'The team is spread over Lima, Quito and Cusco.',
  ],
  ['price', '⟦The ticket costs 18 euros at the door.⟧', 'The ticket costs 18 euros at the door.'],
  [
    'denial repeated',
    "⟦I don't own a car.⟧ How do I get to the lake?",
    'The user does not own a car.',
  ],
  ['wish of format', '⟦Give me code without comments.⟧', 'The user wants code without comments.'],
  ['French', '⟦Mon fils a six ans.⟧ Une idée de cadeau ?', "Le fils de l'utilisateur a six ans."],
  ['event', '⟦We signed the lease for Pier 7 yesterday.⟧', 'The team signed the lease for Pier 7.'],
  [
    'schedule',
    'I need a slot. ⟦I have choir practice on Tuesday evenings.⟧',
    'The user has choir practice on Tuesday evenings.',
  ],
  ['colour', '⟦The brand colour is #0A7E8C.⟧', ['brand colour', 'is', '#0A7E8C']],
  ['pair', '⟦Malik and I share the on-call phone.⟧', 'The user and Malik share the on-call phone.'],
  ['origin', "⟦I grew up in Izmir, that's why I miss the sea.⟧", 'The user grew up in Izmir.'],
  [
    'dashed',
    '⟦The parser is slow — it reads every file twice.⟧',
    'The parser reads every file twice.',
  ],
  [
    'earlier prompt',
    ['⟦My dentist is Dr Salo.⟧', 'Write a short mail to move the appointment.'],
    ['user', 'dentist', 'Dr Salo'],
  ],

  ['negation', 'Commits are not signed here.', 'Commits are signed.'],
  ['negation', 'I have never collected vinyl records.', 'The user collects vinyl records.'],
  [
    'question',
    'Can every pull request need a screenshot?',
    'Every pull request needs a screenshot.',
  ],
  ['question', "What's the shoe size of someone my height, 42?", ['user', 'shoe size', '42']],
  [
    'report',
    'The landlord claims we signed the lease for Pier 7.',
    'The team signed the lease for Pier 7.',
  ],
  [
    'about another',
    'Malik has choir practice on Tuesday evenings.',
    'The user has choir practice on Tuesday evenings.',
  ],
  ['about another', 'Her dentist is Dr Salo.', ['user', 'dentist', 'Dr Salo']],
  [
    'quoted chat',
    'Is this phishing?\n\nTuomas: our registry is at registry.acme.dev\nMe: ok',
    ['registry', 'address', 'registry.acme.dev'],
  ],
  [
    'quoted words',
    'The poster reads "the ticket costs 18 euros at the door", is that too much?',
    'The ticket costs 18 euros at the door.',
  ],
  [
    'quoted mail',
    '> I grew up in Izmir.\n> Best, Deniz\n\nDraft a warm answer.',
    'The user grew up in Izmir.',
  ],
  ['condition', "If I lose weight I'll ask for shoe size 42.", ['user', 'shoe size', '42']],
  [
    'condition',
    'Provided the bank agrees, we sign the lease for Pier 7.',
    'The team signed the lease for Pier 7.',
  ],
  [
    'past',
    'The ticket used to cost 18 euros at the door.',
    'The ticket costs 18 euros at the door.',
  ],
  ['past', 'As a boy I collected vinyl records.', 'The user collects vinyl records.'],
  ['ended', "I sold my car, I don't own one any more.", 'The user owns a car.'],
  [
    'plan',
    "We're about to spread the team over Lima and Quito.",
    'The team is spread over Lima and Quito.',
  ],
  ['wish', 'It would be lovely if our commits were signed.', 'Commits are signed.'],
  [
    'example',
    'A good rule would be, for instance, every pull request needs a screenshot.',
    'Every pull request needs a screenshot.',
  ],
  ['text asked for', 'Write a bio that says I grew up in Izmir.', 'The user grew up in Izmir.'],
  [
    'taken back',
    'The brand colour is #0A7E8C. Hmm, wrong, that is the old one.',
    ['brand colour', 'is', '#0A7E8C'],
  ],
]
