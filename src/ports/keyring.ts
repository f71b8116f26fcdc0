/** What belongs to a stack and must not lie in its file. */
export interface StackKeys {
  /** Which copy of the stack this place writes, 32 hex digits. */
  readonly replica: string
  /** Makes and checks tombstones, 32 bytes; null where a copy came without it. */
  readonly tombstoneKey: Uint8Array | null
}

export interface Keyring {
  find(uid: string): StackKeys | null
  /** Keeps keys for a stack that has none here, and gives back what is kept: the first one wins. */
  keep(uid: string, keys: StackKeys): StackKeys
}
