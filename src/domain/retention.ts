/** Bounds of how long captures of hooks are kept; no part of a policy, since no decision uses them. */
export const LIMITS_OF_RETENTION = {
  daysMax: 36_500,
  perRunMax: 200, // captures that one run of maintenance erases
} as const
