import { TransferableStack } from '../transfer/transferable-stack.ts'
import {
  type DistrustedOrigin,
  type DistrustOptions,
  type DistrustWhat,
  distrustedOrigins,
  type Turned,
  turn,
} from './distrust.ts'
import { type WhatIf, type WhatIfOptions, whatIf } from './what-if.ts'

/** Believing no longer what comes from somewhere, and believing it again. */
export class DoubtingStack extends TransferableStack {
  /** What would change if a memory, an actor, a door or a session were not believed. */
  async whatIf(options: WhatIfOptions): Promise<WhatIf> {
    return whatIf(this.uses, options)
  }

  /** Does it: what hangs on it loses its belief, keeps its words, and can be trusted again. */
  async distrust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.uses, what, { on: true, options })
  }

  /** Undoes it: everything is as it was, unless something else speaks against it. */
  async trust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.uses, what, { on: false, options })
  }

  /** Whom nothing is believed of at present. */
  async getDistrusted(): Promise<readonly DistrustedOrigin[]> {
    return distrustedOrigins(this.uses)
  }
}
