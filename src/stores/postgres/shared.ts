/**
 * Who asks the same in one turn of the event loop is answered together. The question is put afterwards,
 * so that each of them sees all that was committed before he asked.
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
