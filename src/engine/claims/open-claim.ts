import { MunimentError } from '../../domain/errors.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import type { JsonValue } from '../../domain/kinds/json-value.ts'
import { showDate } from '../../domain/span.ts'
import type { Instant } from '../../domain/time.ts'
import { readJson } from '../../ledger/read-json.ts'
import type { ClaimRow } from '../../ports/store.ts'

/** What a claim says, as it is shown. */
export interface OpenedClaim {
  readonly value: JsonValue
  /** As exactly as it was said; null is open. */
  readonly validFrom: string | null
  readonly validUntil: string | null
}

/** The body of a claim; it was parsed as one before it was sealed. */
export function bodyIn(sealed: string): ClaimBody {
  // In canonical form the certificate comes last, and it is four fifths of what there is to read.
  const end = sealed.indexOf(CERTIFICATE)
  if (sealed.startsWith(BODY) && end > 0) {
    const body = tryRead(sealed.slice(BODY.length, end + 1))
    if (body !== undefined) return body as ClaimBody // as above
  }
  return (readJson(sealed) as { body: ClaimBody }).body
}

const BODY = '{"body":'
const VALUE = ',"value":' // nothing before it has a member of that name, and no string an open quote
const CERTIFICATE = '},"provenance":{' // no member of a body itself is called so

/** Undefined for a value with a member called like the certificate: what stands before it is not whole. */
function tryRead(text: string): unknown {
  try {
    return readJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/**
 * Opens claims of one line after another. In canonical form its value is the last that a body says,
 * and most claims of a line say the same before it: that is read once, and then values alone.
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
    // Cut and compared: against this, `startsWith` takes twice as long.
    if (dates === null || sealed.slice(0, before.length) !== before) {
      before = sealed.slice(0, sealed.indexOf(VALUE) + VALUE.length)
      dates = datesOf(bodyIn(sealed))
    }
    const end = sealed.indexOf(CERTIFICATE, before.length)
    const text = sealed.slice(before.length, end)
    const value = isPlain(text) ? text.slice(1, -1) : (tryRead(text) ?? bodyIn(sealed).value)
    const { validFrom, validUntil } = dates
    return { value: value as JsonValue, validFrom, validUntil } // it was parsed as one before it was sealed
  }
}

/** A string without an escape is what stands between its quotes; most values are such. */
const isPlain = (text: string): boolean =>
  text.startsWith('"') && text.indexOf('"', 1) === text.length - 1 && !text.includes('\\')

function datesOf({ validTime }: ClaimBody): Omit<OpenedClaim, 'value'> {
  const { start, startGranularity, end, endGranularity } = validTime
  return {
    validFrom: start === null ? null : showDate(start as Instant, startGranularity), // as it was parsed
    validUntil: end === null ? null : showDate(end as Instant, endGranularity), // the same
  }
}
