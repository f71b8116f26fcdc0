import { MunimentError } from '../../domain/errors.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { type Instant, showDate } from '../../domain/time.ts'
import { readJson } from '../../ledger/canonical.ts'
import type { ClaimRow } from '../../ports/store.ts'

/** The readable part of a claim. */
export interface OpenedClaim {
  readonly value: JsonValue
  /** At the precision of the speaker; null is open. */
  readonly validFrom: string | null
  readonly validUntil: string | null
}

/** Reads the body of a sealed claim, which was parsed before sealing. */
export function bodyIn(sealed: string): ClaimBody {
  // Canonical form puts the provenance last, and provenance is four fifths of the text.
  const end = sealed.indexOf(CERTIFICATE)
  if (sealed.startsWith(BODY) && end > 0) {
    const body = tryRead(sealed.slice(BODY.length, end + 1))
    if (body !== undefined) return body as ClaimBody // see above
  }
  return (readJson(sealed) as { body: ClaimBody }).body
}

const BODY = '{"body":'
const VALUE = ',"value":' // no earlier member has this name, and no string contains an open quote
const CERTIFICATE = '},"provenance":{' // no member of a body has this name

/** Undefined when the text is cut: a value may contain a member named like the provenance. */
function tryRead(text: string): unknown {
  try {
    return readJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/**
 * Opens consecutive claims of one timeline. Canonical form puts the value last, and most claims
 * share the text before the value: the shared text is parsed once.
 */
export function claimOpener(): (row: ClaimRow) => OpenedClaim {
  let before = ''
  let dates: Omit<OpenedClaim, 'value'> | null = null
  return ({ sealed, state }) => {
    if (sealed === null) {
      throw new MunimentError('data_loss', `The content of ${state.ref} is missing.`, {
        hint: 'Run audit: it names what is gone.',
      })
    }
    // slice and compare: `startsWith` takes twice as long here
    if (dates === null || sealed.slice(0, before.length) !== before) {
      before = sealed.slice(0, sealed.indexOf(VALUE) + VALUE.length)
      dates = datesOf(bodyIn(sealed))
    }
    const end = sealed.indexOf(CERTIFICATE, before.length)
    const text = sealed.slice(before.length, end)
    const value = isPlain(text) ? text.slice(1, -1) : (tryRead(text) ?? bodyIn(sealed).value)
    const { validFrom, validUntil } = dates
    return { value: value as JsonValue, validFrom, validUntil } // parsed before sealing
  }
}

/** A string without escapes, as most values are, needs no parser. */
const isPlain = (text: string): boolean =>
  text.startsWith('"') && text.indexOf('"', 1) === text.length - 1 && !text.includes('\\')

function datesOf({ validTime }: ClaimBody): Omit<OpenedClaim, 'value'> {
  const { start, startGranularity, end, endGranularity } = validTime
  return {
    validFrom: start === null ? null : showDate(start as Instant, startGranularity), // as parsed
    validUntil: end === null ? null : showDate(end as Instant, endGranularity), // as parsed
  }
}
