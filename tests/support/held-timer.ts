/** A timer whose calls wait until the test lets them run. */
export function heldTimer() {
  const waiting = new Set<() => void>()
  return {
    waiting,
    timer: (_: number, run: () => void) => {
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    /** Runs the calls that wait now. */
    fire() {
      const due = [...waiting]
      waiting.clear()
      for (const run of due) run()
    },
  }
}
