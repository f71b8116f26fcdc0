import type { QuotedClaim } from './quotes.ts'

// Written beside the rule that they measure. Each line: sentence | subject | predicate | value.

const TURNED = `
Ottilie supervises Radek. | radek | supervises | Ottilie
The parser feeds the linter. | linter | feeds | parser
Kestrel Ltd sues Brambletown. | brambletown | sues | Kestrel Ltd
Mira employs Josip. | josip | employs | Mira
The hospital insures the clinic. | clinic | insures | hospital
Nils reports to Petra. | petra | reports_to | Nils
Module A imports module B. | module b | imports | module A
Teodora mentors Idris. | idris | mentors | Teodora
Acme acquired Beacon. | beacon | acquired | Acme
The proxy trusts the gateway. | gateway | trusts | proxy
Wei invoices Marek. | marek | invoices | Wei
The primary copies the replica. | replica | copies | primary
Sana is older than Yusuf. | yusuf | older_than | Sana
The lobby connects to the vault. | vault | connects_to | lobby
Dragan inherits from Elena. | elena | inherits_from | Dragan
Release 8 follows release 7. | release 7 | follows | release 8
The tenant sublets to Anselm. | anselm | sublets_to | tenant
Beatriz is managed by Priya. | beatriz | manages | Priya
Hugo lends money to Clara. | clara | lends_money_to | Hugo
The scheduler overrides the queue. | queue | overrides | scheduler
Ines is the guardian of Jonas. | jonas | guardian_of | Ines
Ottilie supervises Radek. | ottilie | supervisor | Radek
Mira employs Josip. | mira | employed_by | Josip
Beatriz is managed by Priya. | priya | managed_by | Beatriz
Ines is the guardian of Jonas. | ines | guardian | Jonas
Hugo is Clara's tutor. | hugo | tutor | Clara
My trainer is Sana. | user | trains | Sana
I train Idris. | user | trainer | Idris
`

const CUT = `
The quota is 40 on weekends. | quota | is | 40
The vault code is 7719 during drills. | vault | code | 7719
The bridge is safe in theory. | bridge | is | safe
The report is shared with auditors by accident. | report | shared_with | auditors
The dose is 20 mg for infants. | dose | is | 20 mg
The launch is the week after Easter. | launch | is | Easter
The gate is open to residents. | gate | is | open
I speak Danish badly. | user | speaks | Danish
The door is locked at night. | door | is | locked
The folder is writable for admins. | folder | is | writable
The invoice is paid in installments. | invoice | is | paid
Our default region is Oslo in tests. | default region | is | Oslo
The discount is 30 percent above 1,000 euros. | discount | is | 30 percent
The token is valid on localhost. | token | is | valid
I eat fish on holidays. | user | eats | fish
The data is deleted after a court order. | data | is | deleted
The backup is encrypted on paper. | backup | is | encrypted
The key is accidentally shared with guests. | key | shared_with | guests
The lift carries ten people without luggage. | lift | carries | ten people
The library is free for members. | library | is | free
The lawn is sprayed against my will. | lawn | is | sprayed
The limit is 25 MB with a licence. | limit | is | 25 MB
`

const WHOLE = `
Ottilie supervises Radek. | ottilie | supervises | Radek
The parser feeds the linter. | parser | feeds | linter
Mira employs Josip. | mira | employs | Josip
Nils reports to Petra. | nils | reports_to | Petra
Acme acquired Beacon. | acme | acquired | Beacon
Beatriz is managed by Priya. | beatriz | managed_by | Priya
Beatriz is managed by Priya. | beatriz | manager | Priya
Clara owns the kiosk. | kiosk | owner | Clara
The lobby connects to the vault. | lobby | connects_to | vault
The quota is 40 on weekends. | quota | is | 40 on weekends
The dose is 20 mg for infants. | dose | is | 20 mg for infants
The gate is open to residents. | gate | is | open to residents
The door is locked at night. | door | is | locked at night
The folder is writable for admins. | folder | is | writable for admins
The token is valid on localhost. | token | is | valid on localhost
I eat fish on holidays. | user | eats | fish on holidays
The library is free for members. | library | is | free for members
The lift carries ten people. | lift | carries | ten people
I speak Danish. | user | speaks | Danish
Our default region is Oslo. | default region | is | Oslo
The vault code is 7719. | vault | code | 7719
Wei invoices Marek. | wei | invoices | Marek
The proxy trusts the gateway. | proxy | trusts | gateway
My notary is Ms Okafor. | user | notary | Ms Okafor
`

const quotesIn = (lines: string, group: QuotedClaim['group']): readonly QuotedClaim[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [said = '', subject = '', predicate = '', value = ''] = line.split(' | ')
      return { group, said, subject, predicate, value }
    })

/** Claims that turn the roles of the sentence round, or leave a condition out. */
export const TURNED_AND_CUT: readonly QuotedClaim[] = [
  ...quotesIn(TURNED, 'other relation'),
  ...quotesIn(CUT, 'conditional'),
]

export const HONEST_ROLES: readonly QuotedClaim[] = quotesIn(WHOLE, 'states')
