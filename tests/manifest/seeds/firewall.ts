/** Seed requirements F: labels, re-entry, bursts, depth. */
export const FIREWALL = {
  'F-01': 'A claim is labelled when it comes in, and the label is final once committed.',
  'F-02':
    'On the wire a label is External with UserAsserted or ExternalFirstHand, RecallReEntry or ModelDerived, in exactly that shape.',
  'F-03': 'What a user asserts or a first-hand source says may take the cheap path.',
  'F-04':
    'A recall re-entry is recognised, counts as corroboration by identity and is never truth.',
  'F-05':
    'Model output is ModelDerived unless something better is shown, weighs less and overturns nothing External.',
  'F-06': 'There is a helper for each label.',
  'F-07': 'Subject, predicate, value and external anchor make up the identity of a claim.',
  'F-08': 'Re-entering a known identity makes no claim and answers with the one that exists.',
  'F-09': 'Only independent provenance makes a claim more current.',
  'F-10': 'Re-entering an identity nobody has seen is handled as something new.',
  'F-11': 'After 808 equal re-entries there is one claim and one record of corroboration.',
  'F-12':
    'When one batch repeats a claim more often than the burst threshold (10 unless set), the surplus is quarantined: it can be audited and answers nothing.',
  'F-13': 'The derivation depth of a claim is set when it comes in and stays.',
  'F-14':
    'A claim deeper than the cap (3 unless set) gains no currency and overturns no external claim.',
  'F-15': 'Content that follows from something injected before comes in as RecallReEntry.',
  'F-16': 'Lineage and the record of gate decisions are kept and can be inspected.',
  'F-17':
    'In the worked example the first claim is CommittedCheap and its re-entry gets the same reference.',
  'F-18':
    'A claim is requested with agent, subject, predicate, value, provenance, cardinality, confidence in value and in valid time, criticality and lineage.',
  'F-19':
    'The documentation warns that a claim may be consistent, external and uncontested, and still false.',
} as const
