/**
 * Muniment's promises, one name and one sentence each. A promise needs a test that cites its name:
 * see `holds`.
 */
export const INVARIANTS = {
  'PROV-BIRTH': 'A memory has its complete provenance from the moment it exists.',
  'PROV-FIXED': 'No operation rewrites the provenance a memory was born with.',
  'PROV-DOOR': 'The door decides which label may be claimed; nothing in the content can raise it.',
  'PROV-NOBYPASS': 'Every write passes the gate: no prefix, flag or inside caller goes around it.',

  'LINE-ACYCLIC': 'No memory is among its own ancestors.',
  'LINE-REAL': 'Every parent a memory names exists in the same stack when it is committed.',
  'LINE-KINDS': 'A memory derives only from the kinds that its own kind allows.',
  'LINE-DEPTH': 'Derivation depth is computed from lineage and never taken from the caller.',

  'GATE-PURE': 'The same draft, context and policy give the same decision, byte for byte.',
  'GATE-ONE-ENTRY':
    'An admitted memory, a first refusal and a first collapse leave one entry each; repeats are tallied.',
  'GROUP-SAME': 'However a sequence of writes is cut into groups, the ledger bytes are the same.',

  'FIREWALL-IDEMPOTENT':
    'Any number of re-entries of one claim return that claim and leave one corroboration record.',
  'FIREWALL-ECHO':
    'Repeats and rewordings, however many, move no evidence, confidence, strength or currency.',
  'FIREWALL-MODEL':
    'What a model derived never lowers, ends, supersedes or displaces what was seen or said first-hand.',
  'FIREWALL-DEPTH':
    'A claim beyond the depth cap neither overturns an incumbent nor refreshes currency.',
  'FIREWALL-BURST':
    'Undeclared repeats by one actor beyond the threshold inside the window are quarantined, as a tally beside the live memory.',
  'FIREWALL-INDEPENDENT': 'Evidence counts distinct first-hand anchors, each of them once.',
  'FIREWALL-RISE':
    'Nothing rises by travelling: deriving, summarising, accepting, revising and importing lift no tier above that of the least source.',
  'FIREWALL-DISTRUST':
    'What is distrusted counts for nothing anywhere, and trusting it again undoes exactly that.',
  'FIREWALL-UNLINK':
    'A link makes two rewordings one voice and silences neither, and only a person’s or the host’s entry removes it.',
  'FIREWALL-AUTHORITY':
    'Only a caller whose tier reaches that of a memory at its birth, and who wrote it or is a person or the host, changes it; anybody else proposes, and no lower tier contests a higher one.',
  'FIREWALL-QUOTE':
    'A quote counts only where the engine found it whole in first-hand words of somebody else, and lifts no tier above 2 or above the quoted source.',
  'FIREWALL-WHATIF':
    'What would change if something were distrusted is exactly what changes when it is.',

  'ANSWER-COMPUTED':
    'Answers are computed: dropping every cache and snapshot changes none of them.',
  'ANSWER-CONTEST':
    'First-hand claims that disagree are shown side by side, never picked in silence.',
  'ANSWER-ASOF': 'An answer as of a past entry is changed by nothing recorded later but erasure.',

  'READ-QUIET':
    'Reading adds no entry and changes no later read; it moves no tier and no number of a later write.',
  'READ-RECEIPT': 'Words of a memory that a door gives to a session leave a receipt of the memory.',
  'READ-USE':
    'Reading to act takes tier 2 and higher, to plan tier 1 and higher; whatever is withheld is counted in the answer.',
  'READ-FENCE':
    'Stored words that a model reads stand behind a bar, in text and in structured content.',
  'DECAY-MONOTONE':
    'Without entries no confidence or strength rises, and none falls past its floor.',
  'CASCADE-FLAGS': 'When a source falls, what rests on it is flagged for review and never edited.',

  'LEDGER-APPEND': 'Entries are only ever added; the store refuses to change or delete one.',
  'LEDGER-ATOMIC': 'A memory and its entry become durable together or not at all.',
  'LEDGER-OFFLINE': 'Exported proofs are checked with no store, clock or network.',
  'LEDGER-DETECT':
    'An edited, deleted, inserted or reordered row is found, and the first is named.',
  'LEDGER-TIME': 'Times never fall along the ledger but at a person’s clock correction.',
  'LEDGER-CONTENTLESS': 'Entries hold no content, so the ledger still verifies after an erasure.',
  'LEDGER-POLICY':
    'Every decision names the policy it was made under, and that policy can be read.',
  'ERASE-BYTES': 'After an erasure no file of an embedded stack holds the erased content.',

  'STORE-SAME': 'Equal histories give equal ledger bytes and equal answers in every store.',
  'STORE-ORDER': 'All processes writing to a stack share one dense order of entries.',
  'STORE-REBUILD': 'Every index can be rebuilt from the memories and the ledger alone.',
  'STORE-ACKED': 'A write that was acknowledged survives the death of the process.',

  'DOOR-SAME': 'An operation has the same result whichever door it came through.',
  'SCOPE-BOUND': 'No token, session or payload widens its stack, label, tier or use.',
  'BOUND-LOUD': 'Every limit has a name; meeting it is an error or a flag, never a shorter list.',
} as const

export type InvariantId = keyof typeof INVARIANTS
