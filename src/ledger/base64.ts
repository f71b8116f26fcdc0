/** Standard base64 with padding, as the C2SP formats write bytes; every browser has btoa. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Null for any text except the canonical spelling of some bytes. */
export function fromBase64(text: string): Uint8Array | null {
  if (!CANONICAL.test(text)) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  // Bits behind the last byte could be anything: two spellings of the same signature.
  return toBase64(bytes) === text ? bytes : null
}
