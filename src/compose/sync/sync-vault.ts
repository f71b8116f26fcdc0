import { createCipheriv, createDecipheriv } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Vault } from '../../ports/remote.ts'
import type { Random } from '../../ports/world.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES
const PLAIN_BYTES_MAX = 512 * 1024 * 1024 // nothing that is written here comes near
export const VAULT_KEY_BYTES = 32

const deflated = promisify(deflateRaw)
const inflated = promisify(inflateRaw)

/** AES-256-GCM with the key of the remote, over compressed bytes; the name is authenticated. */
export function syncVault(key: Uint8Array, random: Random): Vault {
  return {
    async seal(name, bytes) {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(name))
      const body = [cipher.update(await deflated(bytes, { level: 1 })), cipher.final()]
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), ...body])
    },
    async open(name, sealed) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) return null
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAAD(Buffer.from(name))
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES))
      try {
        const body = [decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]
        return await inflated(Buffer.concat(body), { maxOutputLength: PLAIN_BYTES_MAX })
      } catch {
        return null // another key, another name, or changed bytes
      }
    },
  }
}
