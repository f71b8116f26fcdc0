/** Groups of commands beside the first screen, in the order of help, each with what is in it. */
export const GROUPS = {
  memory: 'other kinds of memory; protect, describe, recover or unlink one',
  claims: 'timelines of claims; end, retract, verify, replace, doubt',
  trust: 'who is believed, what hooks capture, tokens',
  agent: 'working memory, epochs, drives, playbooks, health',
  ledger: 'entries, proofs, certificates, signed heads',
  stack: 'backup, restore, move, settings, upkeep',
} as const

export type GroupName = keyof typeof GROUPS

/**
 * The place of a command: the first screen, a group, or out of sight, because a program types the
 * command.
 */
export type CommandPlace = 'first' | 'hidden' | GroupName

export const isGroup = (name: string): name is GroupName => Object.hasOwn(GROUPS, name)

/** A command as a person types it after `muniment`. */
export const typedAs = (name: string, place: CommandPlace): string =>
  isGroup(place) ? `${place} ${name}` : name
