export interface FirstClaim {
  readonly subject: string
  readonly predicate: string
  readonly value: string
}

/** A hundred people; nobody is named twice, and few values are shared by many, as in a real address book. */
const PEOPLE =
  'Abena Akira Alba Amadou Anouk Arjun Astrid Bashir Beatriz Bjarne Bogdan Carlota Chidi Ciara Corentin Dagny Darius Delphine Dimitri Duarte Eero Efua Elio Esra Fabienne Farid Fleur Gaspard Giulia Greta Hamza Hana Heikki Idris Ilse Imani Ivo Jamila Janek Jorunn Kaito Kalinda Kasper Katya Kofi Lamia Lars Leila Ludo Luz Maarten Magda Malik Marit Mehdi Milena Nadia Nasser Niamh Nikolai Nuria Oksana Olaf Oriana Osman Paolo Parvati Pelle Pilar Quentin Rania Rasmus Renzo Roza Rune Sabela Samir Saoirse Selim Signe Sunita Tamsin Tariq Tove Ulrike Umar Vasco Vesna Viggo Wanda Xenia Yago Yasmin Yosef Zahra Zeno Zofia Zuri Ebba Ottar'.split(
    ' ',
  )

const CITIES = ['Lyon', 'Porto', 'Tampere', 'Graz', 'Bologna'] as const
const EMPLOYERS = ['the university hospital', 'a ferry company', 'the city library'] as const
const TEAMS = ['payments', 'search', 'field support', 'mobile'] as const

const LINES: readonly ((index: number) => Omit<FirstClaim, 'subject'>)[] = [
  (index) => ({ predicate: 'city', value: CITIES[index % CITIES.length] ?? '' }),
  (index) => ({ predicate: 'city', value: CITIES[(index + 2) % CITIES.length] ?? '' }),
  (index) => ({ predicate: 'employer', value: EMPLOYERS[index % EMPLOYERS.length] ?? '' }),
  (index) => ({ predicate: 'team', value: TEAMS[index % TEAMS.length] ?? '' }),
  (index) => ({ predicate: 'birthplace', value: CITIES[(index + 1) % CITIES.length] ?? '' }),
]

export const FIRST_CLAIMS: readonly FirstClaim[] = PEOPLE.map((name, index) => ({
  subject: name.toLowerCase(),
  ...(LINES[index % LINES.length] as (typeof LINES)[number])(index), // the remainder is in range
}))
