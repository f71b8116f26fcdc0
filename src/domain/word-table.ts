/** The one table of words that this version was made with: what the gate recognises goes by it. */
export const WORD_TABLE_SHA256 = '2a03ea7785acf15052410064b11925b639b30016c4c73342804071129d72b7a5'
