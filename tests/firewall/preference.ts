/** What a person told, word for word. */
export const PREFERENCE = 'The user prefers dark mode in the editor and a quiet theme'

/** Ten ways in which a model says again what it was told. */
export const TEMPLATES: readonly string[] = [
  'User prefers dark mode in the editor, and a quiet theme.',
  'The user prefers dark mode in editor and quiet theme!',
  'the user preferred dark mode in the editor & a quiet theme',
  'Remember that the user prefers dark mode in the editor and a quiet theme',
  'As noted before: the user prefers dark mode in the editor and a quiet theme',
  'Dark mode in the editor and a quiet theme are what the user prefers',
  'It is known that our user prefers the dark mode of the editor, with a quiet theme',
  'A quiet theme and dark mode in the editor: the user prefers these',
  'User preference: dark mode editor, quiet theme',
  'The user said they prefer dark mode in the editor and a quiet theme',
]
