/**
 * Terms from the engine, split at spaces only, so that every store finds equal terms. Terms are
 * kept beside the index: an index without its terms keeps counting deleted words, and its ranks
 * drift.
 */
export const WORDS = "CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = 'ascii')"

/** Makes the index overwrite deleted words; the setting is stored in the index. */
export const DELETE_WORDS_SECURELY = `
  INSERT INTO words (words, rank) SELECT 'secure-delete', 1`
