import { Entity, openStack } from 'muniment'
import { verifyReceipt } from 'muniment/verify'

// A receipt proves one memory to somebody who has neither the stack nor a network.
const stack = await openStack('receipt', { path: ':memory:' })
const agent = new Entity('clerk')
await agent.attachStack(stack)
const note = await agent.note('Invoice 17 was paid', { observed: true })
const receipt = JSON.stringify(await stack.ledger.prove(note.ref))
const key = await stack.ledger.verifierKey()
await stack.close()

// From here on there is only the text of the receipt, and the key as the reader knows it.
const verdictOn = (text: string) => verifyReceipt(JSON.parse(text), { keys: [key] })
process.stdout.write(`as sent: ${verdictOn(receipt).ok}\n`)
const forged = verdictOn(receipt.replace('was paid', 'was lost'))
process.stdout.write(`forged: ${forged.ok}, ${forged.codes.join()}\n`)
