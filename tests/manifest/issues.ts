/** The steps in which Muniment is built, in order, by the title under which each is described. */
export const ISSUES = {
  spine: 'The spine',
  durable: 'Durable',
  'stack-protocol': 'The whole stack protocol',
  life: "A memory's life",
  'agent-door': "The agent's door",
  ledger: 'The ledger',
  claims: 'Claims and answers',
  recall: 'Recall',
  firewall: 'The firewall',
  components: 'Core, components and models',
  doors: 'Doors',
  postgres: 'PostgreSQL',
  explorer: 'The explorer',
} as const

export type Issue = keyof typeof ISSUES
