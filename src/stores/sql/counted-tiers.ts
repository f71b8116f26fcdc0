/**
 * Repairs captures that an earlier version recorded at tier 2 without a person's word: tier 1 with
 * the recorded tier in a mark, as the fold of their entries gives. No version that ran before this
 * step wrote the fact `vouched`.
 */
export const COUNTED_TIERS = `
UPDATE memories SET tier = 1, marks = CASE
    WHEN erased IS NOT NULL THEN marks
    WHEN marks IS NULL THEN
      '{"evidence":[],"anchors":[],"flags":[],"notes":{},"moves":[],"claim":null,"guard":{"tierAtBirth":2}}'
    WHEN marks LIKE '%"guard":{%' THEN replace(marks, '"guard":{', '"guard":{"tierAtBirth":2,')
    ELSE substr(marks, 1, length(marks) - 1) || ',"guard":{"tierAtBirth":2}}' END
  WHERE door = 'hook' AND label = 'ExternalFirstHand' AND kind IN ('raw', 'note') AND tier = 2
    AND (marks IS NULL OR marks NOT LIKE '%"tierAtBirth":%');
`
