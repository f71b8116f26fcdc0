export type SqlValue = null | number | string | Uint8Array

/** Values in the order of the columns: half the cost of an object with names. */
export type SqlRow = readonly SqlValue[]
