const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Timing {
  readonly buckets: number[]
  sum: number
  count: number
}

/** Figures for Prometheus. Labels name routes, never memories. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #timings = new Map<string, Timing>()
  inFlight = 0
  /** Calls still running after their caller got a timeout. */
  late = 0
  streams = 0

  seen(route: string, { status, seconds }: { readonly status: number; readonly seconds: number }) {
    const key = `route="${route}",status="${status}"`
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
    const timing = this.#timings.get(route) ?? { buckets: BUCKETS_S.map(() => 0), sum: 0, count: 0 }
    BUCKETS_S.forEach((bound, index) => {
      if (seconds <= bound) timing.buckets[index] = (timing.buckets[index] ?? 0) + 1
    })
    timing.sum += seconds
    timing.count += 1
    this.#timings.set(route, timing)
  }

  text(gauges: Readonly<Record<string, number>>): string {
    const lines = [
      '# HELP muniment_http_requests_total Requests that were answered.',
      '# TYPE muniment_http_requests_total counter',
      ...[...this.#requests].map(([key, count]) => `muniment_http_requests_total{${key}} ${count}`),
      '# HELP muniment_http_request_seconds How long an answer took.',
      '# TYPE muniment_http_request_seconds histogram',
      ...[...this.#timings].flatMap(([route, timing]) => timingLines(route, timing)),
    ]
    const all = { in_flight: this.inFlight, late: this.late, streams: this.streams, ...gauges }
    for (const [name, value] of Object.entries(all)) {
      lines.push(`# TYPE muniment_http_${name} gauge`, `muniment_http_${name} ${value}`)
    }
    return `${lines.join('\n')}\n`
  }
}

function timingLines(route: string, { buckets, sum, count }: Timing): readonly string[] {
  const name = 'muniment_http_request_seconds'
  const of = `route="${route}"`
  return [
    ...BUCKETS_S.map((bound, index) => `${name}_bucket{${of},le="${bound}"} ${buckets[index]}`),
    `${name}_bucket{${of},le="+Inf"} ${count}`,
    `${name}_sum{${of}} ${sum}`,
    `${name}_count{${of}} ${count}`,
  ]
}
