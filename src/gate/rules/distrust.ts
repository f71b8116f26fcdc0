import { admitAs, collapseOnto, hasSameAnchor, type Rule } from '../case.ts'

/** A draft from a distrusted origin is kept, so that trusting the origin again loses nothing. */
export const distrust: Rule = {
  name: 'distrust',
  judge: ({ candidate, desk, distrustedBy }) => {
    if (distrustedBy.length === 0) return undefined
    const { main } = candidate
    const own = desk
      .saying(main.keys.identity)
      .find(
        (memory) =>
          memory.distrust !== null &&
          memory.kind === main.kind &&
          memory.contentHash === main.contentHash &&
          hasSameAnchor(memory, candidate),
      )
    const reasons = ['origin_distrusted']
    return own && own.ref !== main.ref
      ? collapseOnto(own, 'Distrusted', reasons)
      : admitAs('Distrusted', reasons, { distrusted: distrustedBy })
  },
}
