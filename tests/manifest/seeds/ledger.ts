/** Seed requirements L: the provenance payload and the hash-chained ledger. */
export const LEDGER = {
  'L-01': 'A payload names its source, out of a closed list.',
  'L-02': 'A payload has a confidence between 0 and 1.',
  'L-03': 'A payload has the time at which it was made or taken in.',
  'L-04': 'A payload has a source_id that is not empty.',
  'L-05': 'A payload has an ingestion_path that is not empty.',
  'L-06':
    'A payload has a content_hash, 64 hex digits in lower case, that matches the canonical form of what is stored.',
  'L-07':
    'A payload has a policy_hash, 64 hex digits in lower case, that matches the policy in force when it came in.',
  'L-08': 'A payload has a trust_tier: 0, 1, 2 or 3.',
  'L-09': 'llm_model says which model produced it, and is null when no model did.',
  'L-10': 'parent_id may be given and ties the payload to where it came from.',
  'L-11': 'Making a payload checks each of its fields.',
  'L-12': 'No write gets in unless its payload is valid.',
  'L-13': 'Both hashes are compared when a memory comes in.',
  'L-14': 'Writing to the in-memory store adds to a ledger chained by hashes.',
  'L-15': 'Writing to the SQLite store adds a row with prev_hash and entry_hash to provenance_log.',
  'L-16': 'A memory comes back with its provenance, and reads can ask for a least trust tier.',
  'L-17': 'No backend and no way in is exempt from the schema or the lifecycle.',
} as const
