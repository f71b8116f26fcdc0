import type { Engine } from '../engine.ts'
import {
  type DistrustedOrigin,
  type DistrustOptions,
  type DistrustWhat,
  distrustedOrigins,
  type Turned,
  turn,
} from './distrust.ts'
import { type WhatIf, type WhatIfOptions, whatIf } from './what-if.ts'

export class Sources {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The effects of distrusting a memory, an actor, a door or a session. */
  async whatIf(options: WhatIfOptions): Promise<WhatIf> {
    return whatIf(this.#engine, options)
  }

  /** Distrusts an origin: dependent memories answer nothing, keep their words, and may return. */
  async distrust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.#engine, what, { on: true, options })
  }

  /** Trusts an origin again: memories return unless another distrusted origin remains. */
  async trust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.#engine, what, { on: false, options })
  }

  /** Origins that are distrusted at present. */
  async distrusted(): Promise<readonly DistrustedOrigin[]> {
    return distrustedOrigins(this.#engine)
  }
}
