/** The one table of words that this version was made with: vectors name it. */
export const WORD_TABLE_SHA256 = 'fff7b548ece141793e9b5e83e6e218c8df2f147357b3b3527387bc49987bfdac'
/** The one table of kinds: search knows by it that a puppy is a pet. */
export const KIND_TABLE_SHA256 = '4a41bbfcdcbf4854a19bae4519797af5cc16d0f96bffbdc54d42deb5ebd09e45'
