/**
 * Equal questions in one turn of the event loop share one answer. The query is sent after the turn,
 * so each caller sees all earlier commits.
 */
export class Shared<Answer> {
  readonly #waiting = new Map<string, Promise<Answer>>()

  share(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const waiting = this.#waiting.get(question)
    if (waiting) return waiting
    const asked = new Promise<void>((resolve) => {
      setImmediate(resolve)
    }).then(() => {
      this.#waiting.delete(question)
      return ask()
    })
    this.#waiting.set(question, asked)
    return asked
  }
}
