// What may befall a memory, written from the design alone (sections 7 and 18.1, and rule 5 of the
// firewall): slow and obvious. Everybody here stands at the door of the host, who acts for others.

export type Who = 'person' | 'host' | 'model' | 'echo'

export type LifeChange =
  | { readonly type: 'forget' | 'recover' | 'access' | 'deactivate' | 'ask_review' | 'clear' }
  | { readonly type: 'note_dormant' }
  | { readonly type: 'protect'; readonly on: boolean }
  | { readonly type: 'weaken'; readonly amount: number }
  | { readonly type: 'describe'; readonly confidence: number }
  | { readonly type: 'verify' | 'reinforce'; readonly evidence: readonly string[] }

export interface Life {
  readonly ref: string
  readonly kind: 'raw' | 'note' | 'belief'
  readonly isFirstHand: boolean
  /** What it counted for when it was born. */
  readonly tier: number
  readonly parents: readonly string[]
  /** Who had the engine write it down for a draft of his, if it is a capture. */
  readonly capturedFor: Who | null
  strength: number
  strengthAt: number
  confidence: number
  confidenceAt: number
  isProtected: boolean
  isProtectedByModel: boolean
  accesses: number
  verifications: number
  reinforcements: number
  counted: string[]
  /** Evidence that somebody without authority named: it moved the numbers, and is not used up. */
  named: string[]
  flags: { code: string; by: string | null; who?: Who }[]
  isOff: boolean
}

export interface LifeAnswer {
  readonly changed: boolean
  readonly reason: string | null
  readonly flagged: readonly string[]
}

const DAY = 86_400_000
const DECAY = { raw: null, note: [0.015, 0.4], belief: [0.01, 0.5] } as const
const EXTERNAL: readonly Who[] = ['person', 'host']
const TIER: Readonly<Record<Who, number>> = { person: 3, host: 2, model: 1, echo: 0 }
const no = (reason: string): LifeAnswer => ({ changed: false, reason, flagged: [] })
const yes: LifeAnswer = { changed: true, reason: null, flagged: [] }

/** Numbers are told to the ninth digit. */
const told = (x: number): number => Math.round(x * 1e9) / 1e9
const days = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / DAY))

export class LivesReference {
  readonly lives = new Map<string, Life>()

  strengthOf({ strength, strengthAt, isProtected, accesses }: Life, now: number): number {
    if (isProtected || strength === 0) return strength
    const faded = strength - (0.01 * days(strengthAt, now)) / 30 + 0.001 * Math.log(accesses + 1)
    return Math.max(0, told(Math.min(strength, faded)))
  }

  confidenceOf({ kind, confidence, confidenceAt }: Life, now: number): number {
    const decay = DECAY[kind]
    if (decay === null) return confidence
    const [rate, floor] = decay
    if (confidence <= floor) return confidence
    return Math.max(floor, told(confidence - (rate * days(confidenceAt, now)) / 30))
  }

  change(ref: string, change: LifeChange, { who, now }: { who: Who; now: number }): LifeAnswer {
    const life = this.lives.get(ref)
    if (!life) return no('not_found')
    const isExternal = EXTERNAL.includes(who)
    if (change.type === 'clear' && !isExternal) return no('scope')
    const isIdle = change.type === 'recover' && this.strengthOf(life, now) > 0
    // The host forgets for the policy what has faded.
    const isSwept = change.type === 'forget' && isExternal && this.strengthOf(life, now) < 0.2
    if (!mayDo(life, change, who) && !isIdle && !isSwept) {
      if (!life.flags.some((flag) => flag.code === 'proposed' && flag.who === who)) {
        life.flags.push({ code: 'proposed', by: null, who })
      }
      return no('proposed')
    }
    return this.#do(life, change, { who, now })
  }

  #do(life: Life, change: LifeChange, { who, now }: { who: Who; now: number }): LifeAnswer {
    const strength = this.strengthOf(life, now)
    const confidence = this.confidenceOf(life, now)
    const become = (value: number): void => {
      life.strength = told(value)
      life.strengthAt = now
      wake(life)
    }
    switch (change.type) {
      case 'forget':
        if (isBinding(life, who)) return no('protected')
        if (life.strength === 0) return no('already_so')
        become(0)
        return this.#flagChildren(life, 'source_forgotten')
      case 'recover':
        if (strength > 0) return no('not_forgotten')
        become(0.2)
        for (const child of this.#childrenOf(life)) {
          child.flags = child.flags.filter(({ by }) => by !== life.ref)
        }
        return yes
      case 'protect':
        if (life.isProtected === change.on) return no('already_so')
        become(strength)
        life.isProtected = change.on
        life.isProtectedByModel = change.on && !EXTERNAL.includes(who)
        return yes
      case 'access':
        if (life.isOff || life.strength === 0) return no('set_aside')
        become(Math.min(1, strength + 0.02 / (1 + life.accesses / 10)))
        life.accesses += 1
        return yes
      case 'weaken': {
        if (isBinding(life, who)) return no('protected')
        if (strength === 0 || change.amount === 0) return no('already_so')
        become(Math.max(0, strength - change.amount))
        if (life.strength === 0) return this.#flagChildren(life, 'source_forgotten')
        const isAcross = strength >= 0.2 && life.strength < 0.2
        return isAcross ? this.#flagChildren(life, 'source_dormant') : yes
      }
      case 'note_dormant': {
        const isKnown = life.flags.some(({ code }) => code === 'dormant')
        if (strength >= 0.2 || life.strength === 0 || isKnown) return no('already_so')
        life.flags.push({ code: 'dormant', by: null })
        return this.#flagChildren(life, 'source_dormant')
      }
      case 'describe':
        if (who !== 'person' && change.confidence > confidence) return no('attested')
        if (who !== 'person' && change.confidence === confidence) return no('already_so')
        life.confidence = change.confidence
        life.confidenceAt = now
        return yes
      case 'deactivate':
        if (life.kind !== 'belief') return no('wrong_kind')
        if (life.isOff) return no('already_so')
        life.isOff = true
        return yes
      case 'ask_review':
        if (life.flags.some(({ code }) => code === 'asked')) return no('already_so')
        life.flags.push({ code: 'asked', by: null })
        return yes
      case 'clear':
        if (life.flags.every(({ code }) => code === 'dormant')) return no('already_so')
        life.flags = life.flags.filter(({ code }) => code === 'dormant')
        return yes
      case 'verify':
      case 'reinforce':
        return this.#support(life, change, { who, now })
    }
  }

  #support(
    life: Life,
    { type, evidence }: Extract<LifeChange, { evidence: unknown }>,
    { who, now }: { who: Who; now: number },
  ): LifeAnswer {
    if (life.isOff) return no('set_aside')
    const isAllowed = hasAuthority(life, who)
    const used = isAllowed ? life.counted : [...life.counted, ...life.named]
    const fresh = this.#anchorsIn(life, evidence, { who, used })
    if (fresh.size === 0) return no('attested')
    // Evidence moves the numbers once, and is used up only by somebody who has the authority.
    const isNews = [...fresh].some((each) => !life.named.includes(each))
    if (isAllowed) {
      life.counted.push(...fresh)
      life.named = life.named.filter((each) => !fresh.has(each))
    } else life.named.push(...fresh)
    const confidence = this.confidenceOf(life, now)
    if (type === 'verify') {
      life.verifications += 1
      if (isNews) life.confidence = told(Math.min(1, confidence + 0.1))
      else life.confidence = confidence
      for (const parent of new Set(life.parents)) this.#lift(parent, now)
    } else {
      life.reinforcements += 1
      const share = ((0.99 - confidence) * (isNews ? 0.05 : 0)) / (1 + 0.1 * life.reinforcements)
      life.confidence = told(Math.max(confidence, confidence + share))
    }
    life.confidenceAt = now
    return yes
  }

  #lift(ref: string, now: number): void {
    const source = this.lives.get(ref)
    if (!source || source.strength === 0) return
    const before = this.strengthOf(source, now)
    if (before === 1) return
    source.strength = told(Math.min(1, before + 0.02))
    source.strengthAt = now
    wake(source)
  }

  /** First-hand raws under the evidence, outside ancestry and descent, none of them twice. */
  #anchorsIn(
    life: Life,
    evidence: readonly string[],
    { who, used }: { who: Who; used: readonly string[] },
  ): Set<string> {
    const above = this.#ancestry(life.ref)
    const anchors = new Set<string>()
    for (const ref of evidence) {
      const cited = this.lives.get(ref)
      const line = this.#ancestry(ref)
      if (!cited || cited.isOff || cited.strength === 0) continue
      if (above.has(ref) || line.has(life.ref)) continue
      for (const each of line) {
        const raw = this.lives.get(each)
        if (raw?.kind !== 'raw' || !raw.isFirstHand || raw.strength === 0) continue
        if (above.has(each) || used.includes(each) || raw.capturedFor === who) continue
        anchors.add(each)
      }
    }
    return anchors
  }

  /** A memory and everything it was made from. */
  #ancestry(ref: string): Set<string> {
    const parents = this.lives.get(ref)?.parents ?? []
    return new Set([ref, ...parents.flatMap((parent) => [...this.#ancestry(parent)])])
  }

  #childrenOf({ ref }: Life): Life[] {
    return [...this.lives.values()].filter(({ parents }) => parents.includes(ref))
  }

  #flagChildren(life: Life, code: string): LifeAnswer {
    const flagged: string[] = []
    for (const child of this.#childrenOf(life)) {
      if (child.flags.some((flag) => flag.code === code && flag.by === life.ref)) continue
      child.flags.push({ code, by: life.ref })
      flagged.push(child.ref)
    }
    return { ...yes, flagged }
  }
}

/** What is strong again is no longer said to have faded. */
const wake = (life: Life): void => {
  if (life.strength >= 0.2) life.flags = life.flags.filter(({ code }) => code !== 'dormant')
}

const isBinding = (life: Life, who: Who): boolean =>
  life.isProtected && !(life.isProtectedByModel && who === 'person')

/** Nobody below the tier of its birth, and no model over what was seen or said. */
const hasAuthority = (life: Life, who: Who): boolean =>
  TIER[who] >= life.tier && (EXTERNAL.includes(who) || !life.isFirstHand)

const NEEDS_AUTHORITY = ['forget', 'recover', 'protect', 'weaken', 'describe', 'deactivate']

function mayDo(life: Life, { type }: LifeChange, who: Who): boolean {
  if (type === 'verify' || type === 'reinforce') return TIER[who] > 0 || hasAuthority(life, who)
  return !NEEDS_AUTHORITY.includes(type) || hasAuthority(life, who)
}
