/** The one table of words that this version was made with: vectors name it. */
export const WORD_TABLE_SHA256 = '2a03ea7785acf15052410064b11925b639b30016c4c73342804071129d72b7a5'
/** The one table of kinds: search knows by it that a puppy is a pet. */
export const KIND_TABLE_SHA256 = '4a41bbfcdcbf4854a19bae4519797af5cc16d0f96bffbdc54d42deb5ebd09e45'
