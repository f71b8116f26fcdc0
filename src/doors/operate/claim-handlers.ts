import type { claims } from '../../operations/claims.ts'
import type { InputOf } from '../../operations/operations.ts'
import { by, settled } from './change-handlers.ts'
import { given, type Handlers, pastOf } from './context.ts'

export const claimHandlers = {
  ask: ({ stack, caller, actor }, { subject, predicate, asOf, ...more }: InputOf<'ask'>) =>
    stack.claims.ask({ subject, predicate, ...given(more), ...pastOf(asOf), caller, actor }),
  subject: ({ stack, caller, actor }, { subject, asOf, ...more }: InputOf<'subject'>) =>
    stack.claims.subject(subject, { ...given(more), ...pastOf(asOf), caller, actor }),
  lines: ({ stack, caller, actor }, asked: InputOf<'lines'>) =>
    stack.claims.timelines({ ...given(asked), caller, actor }),
  line: ({ stack, caller, actor }, { subject, predicate, asOf, ...use }: InputOf<'line'>) =>
    stack.claims.timeline({ subject, predicate, ...given(use), ...pastOf(asOf), caller, actor }),
  end: async (context, { ref, at, reason }: InputOf<'end'>) => {
    const options = { ...by(context, reason), ...given({ at }) }
    return settled(context, ref, await context.stack.claims.end(ref, options))
  },
  retract: async (context, { ref, reason }: InputOf<'retract'>) =>
    settled(context, ref, await context.stack.claims.retract(ref, by(context, reason))),
  reopen: async (context, { ref, reason }: InputOf<'reopen'>) =>
    settled(context, ref, await context.stack.claims.reopen(ref, by(context, reason))),
  recast: async (context, { subject, predicate, cardinality, reason }: InputOf<'recast'>) => {
    const options = { ...by(context, reason), cardinality }
    const { ref, ...result } = await context.stack.claims.recast({ subject, predicate }, options)
    return settled(context, ref, result)
  },
  adjudicate: async (context, { ref, verdict, evidence, reason }: InputOf<'adjudicate'>) => {
    const options = { ...by(context, reason), verdict, evidence }
    return settled(context, ref, await context.stack.claims.adjudicate(ref, options))
  },
} satisfies Handlers<keyof typeof claims>
