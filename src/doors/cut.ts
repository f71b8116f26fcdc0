/** The beginning of a text, without half a character at its end. */
export function cutTo(text: string, charsMax: number): string {
  const whole = text.toWellFormed()
  const cut = whole.slice(0, charsMax)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
