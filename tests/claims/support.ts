import type { OpenOptions } from '../../src/compose/open-stack.ts'
import { type ClaimRequest, type ClaimResult, label, type Stack } from '../../src/index.ts'
import { freshStack } from '../stack/support.ts'

/** The request of the seed's page, for one of its lines. */
export const BERLIN: ClaimRequest = {
  subject: 'user',
  predicate: 'city',
  value: 'Berlin',
  provenance: label.userAsserted(),
  cardinality: 'Functional',
  confidence: { valueConfidence: 1, validTimeConfidence: 1 },
  criticality: 'Medium',
  derivedFrom: [],
}

/** A year as an exact moment, so that windows end where the next ones begin. */
export const year = (number: number): string => `${number}-01-01T00:00:00.000Z`

type Window = readonly [from: number | null, until: number | null]

/** A line that people speak about in few words. */
export class Line {
  readonly stack: Stack
  readonly clock: Awaited<ReturnType<typeof freshStack>>['clock']
  readonly store: Awaited<ReturnType<typeof freshStack>>['store']

  constructor(fresh: Awaited<ReturnType<typeof freshStack>>) {
    this.stack = fresh.stack
    this.clock = fresh.clock
    this.store = fresh.store
  }

  static async open(options: OpenOptions = {}): Promise<Line> {
    return new Line(await freshStack(options))
  }

  says(actor: string, value: string, [from, until]: Window = [null, null]): Promise<ClaimResult> {
    return this.claim({
      value,
      actor,
      validTime: {
        start: from === null ? null : year(from),
        end: until === null ? null : year(until),
      },
    })
  }

  claim({
    actor,
    ...request
  }: Partial<ClaimRequest> & { readonly actor?: string }): Promise<ClaimResult> {
    return this.stack.claims.ingest({ ...BERLIN, ...request }, actor === undefined ? {} : { actor })
  }

  model = (value: string): Promise<ClaimResult> =>
    this.claim({ value, provenance: label.modelDerived() })

  recall = (value: string, derivedFrom: string[] = []): Promise<ClaimResult> =>
    this.claim({ value, derivedFrom, provenance: label.recallReEntry() })

  ask = (validAt?: number, asOf?: number | string) =>
    this.stack.claims.ask({
      subject: 'user',
      predicate: 'city',
      ...(validAt === undefined ? {} : { validAt: year(validAt) }),
      ...(asOf === undefined ? {} : { asOf }),
    })

  /** Standing, then the values. */
  async told(validAt?: number, asOf?: number | string): Promise<readonly unknown[]> {
    const { standing, values } = await this.ask(validAt, asOf)
    return [standing, ...values.map(({ value }) => value)]
  }
}
