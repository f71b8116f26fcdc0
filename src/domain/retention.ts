/** Bounds for keeping captures of hooks; not part of a policy, since no decision uses them. */
export const LIMITS_OF_RETENTION = {
  daysMax: 36_500,
  perRunMax: 200, // captures erased in a run of maintenance
} as const
