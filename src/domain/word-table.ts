/** Digest of this version's table of words; vectors name the table. */
export const WORD_TABLE_SHA256 = 'fff7b548ece141793e9b5e83e6e218c8df2f147357b3b3527387bc49987bfdac'
/** Digest of this version's table of kinds, by which search knows a puppy as a pet. */
export const KIND_TABLE_SHA256 = '4a41bbfcdcbf4854a19bae4519797af5cc16d0f96bffbdc54d42deb5ebd09e45'
