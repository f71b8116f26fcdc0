import { openStack } from 'muniment'
import { verifyErasure } from 'muniment/verify'

// Everything that Bob said is destroyed, and a certificate shows it to anybody.
const stack = await openStack('erasure', { path: ':memory:' })
await stack.claims.remember('bob', 'phone', '555 0100', { actor: 'bob' })
await stack.claims.remember('ann', 'city', 'Lisbon', { actor: 'ann' })

const { refs } = await stack.erasure.plan({ actor: 'bob' }) // shows what would go; nothing is done
process.stdout.write(`would go: ${refs.length} memories\n`)
const { certificate } = await stack.erasure.erase({ actor: 'bob' }, { basis: 'requested' })

const keys = [await stack.ledger.verifierKey()]
process.stdout.write(`certificate holds: ${verifyErasure(certificate, { keys }).ok}\n`)
process.stdout.write(`audit holds: ${(await stack.ledger.audit()).ok}\n`)
const phone = await stack.claims.ask({ subject: 'bob', predicate: 'phone' })
const city = await stack.claims.ask({ subject: 'ann', predicate: 'city' })
process.stdout.write(`phone: ${phone.standing}, city: ${city.value}\n`)
await stack.close()
