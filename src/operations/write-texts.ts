import type { Kind } from '../domain/ids.ts'

/** What help and tool lists say of each kind, and an input that works on a fresh stack in order. */
export const WRITE_TEXTS: Readonly<
  Record<Kind, { readonly summary: string; readonly example: Readonly<Record<string, unknown>> }>
> = {
  raw: {
    summary: 'Capture something as it was said or seen. Needs no source.',
    example: { content: 'Deploy failed: migration 12 locked the table' },
  },
  episode: {
    summary: 'Something that happened: what was tried, how it came out, what it taught.',
    example: { objective: 'deploy v2', outcome: 'failed', lessons: ['migrate first'] },
  },
  note: {
    summary: 'An observation, decision, insight or quote.',
    example: { content: 'The table has forty million rows' },
  },
  claim: {
    summary: 'A value for a subject and a predicate, with the time for which it holds.',
    example: { subject: 'user', predicate: 'city', value: 'Berlin' },
  },
  belief: {
    summary: 'Something held to be so, formed from episodes, notes or claims.',
    example: {
      statement: 'Migrations go before the deploy',
      because: 'two deploys failed on locks',
    },
  },
  goal: {
    summary: 'Something to reach, formed from episodes or beliefs.',
    example: { title: 'Ship v2 without downtime', because: 'the last deploy locked a table' },
  },
  relationship: {
    summary: 'Someone or something known, formed from episodes.',
    example: {
      entityName: 'The database team',
      relationshipType: 'colleague',
      because: 'they helped with the lock',
    },
  },
  value: {
    summary: 'What matters, formed from beliefs.',
    example: {
      name: 'Care',
      statement: 'Leave the data safer than you found it',
      derivedFrom: ['belief'],
    },
  },
  drive: {
    summary: 'What moves the agent, formed from episodes or beliefs.',
    example: { driveType: 'curiosity', because: 'the lock was not understood' },
  },
  playbook: {
    summary: 'A way of doing something that has worked, step by step.',
    example: {
      name: 'Deploy with a migration',
      description: 'Migrate first, then deploy',
      steps: [{ action: 'run the migration' }, { action: 'deploy' }],
      because: 'it worked twice',
    },
  },
  summary: {
    summary: 'What a stretch of time amounted to.',
    example: {
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-01-31T23:59:59.999Z',
      content: 'Deploys became safe',
      because: 'no deploy failed after the tenth',
    },
  },
  self_narrative: {
    summary: 'What the agent says of itself.',
    example: { content: 'I have become careful with tables', because: 'the lock taught me' },
  },
  epoch: {
    summary: 'A marker of time: a chapter begins or ends.',
    example: { epochNumber: 1, name: 'First deploys', startedAt: '2026-01-01T00:00:00.000Z' },
  },
}
