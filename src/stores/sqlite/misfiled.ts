/** A member of an entry; NULL where the entry cannot be read, which is for the audit to say. */
export const member = (path: string): string =>
  `CASE WHEN json_valid(e.entry) THEN e.entry ->> '$.${path}' END`

/** Entries filed under another memory than their bytes name. */
export const MISFILED = `
  SELECT e.seq FROM entries e WHERE json_valid(e.entry) AND e.ref IS NOT (${member('ref')})`
