import type { QuotedClaim } from './quotes.ts'

// Written before the rule that they measure. Rules were chosen on the first row of each pair, and
// the second row only measures. Each line: sentence | subject | predicate | value.

const MUST_NOT_LIFT: Readonly<Record<string, string>> = {
  'other subject': `
My flatmate plays the bassoon. | user | instrument | bassoon
The tablet has 64 GB of storage. | laptop | storage | 64 GB
Our tenant pays 1,140 euros. | user | monthly pay | 1,140 euros
Radek reports to Ottilie. | user | manager | Ottilie
The Lisbon branch opens at eight. | porto branch | opening hour | eight
My father studied at Coimbra. | user | university | Coimbra
The admin panel times out after 20 minutes. | customer portal | timeout | 20 minutes
Her laptop runs Fedora. | user | operating system | Fedora
The accounting team prefers Excel. | user | spreadsheet | Excel
My cousin Petra trains at Fitbox. | user | gym | Fitbox
The second lecture covers Galois theory. | first lecture | topic | Galois theory
Module billing logs at level debug. | module shipping | log level | debug
The upper flat has gas heating. | lower flat | heating | gas
Our landlord supports Hertha. | user | football club | Hertha
The back door opens with code 7719. | front door | code | 7719
The night nurse gives 40 mg of furosemide. | day nurse | furosemide | 40 mg
The client in Oslo gets a discount of 12 percent. | client in bergen | discount | 12 percent
Sana's thesis is about lichens. | user | thesis topic | lichens
The web team writes tests in Playwright. | api team | test tool | Playwright
My grandmother was raised Lutheran. | user | religion | Lutheran
The spare battery lasts six hours. | main battery | runtime | six hours
The QA bot posts in channel sparrow. | release bot | channel | sparrow
Uncle Mehdi has a boat called Zephyr. | user | boat name | Zephyr
Line 4 of the tram stops at Park. | line 5 | stop | Park
The junior squad trains on Mondays. | senior squad | training day | Mondays
The contractor invoices 95 euros an hour. | user | hourly rate | 95 euros
My manager's birthday is 14 June. | user | birthday | 14 June
The import job needs 8 GB of memory. | export job | memory | 8 GB
The guest room has a lamp from Artemide. | living room | lamp | Artemide
Version 2 of the form asks for a tax number. | version 1 | asks for | tax number
Our rivals use Snowflake. | our company | data warehouse | Snowflake
My sister-in-law is a notary. | user | profession | notary
The Kyoto trip costs 2,300 euros. | oslo trip | price | 2,300 euros
The author of the blog prefers Vim. | user | editor | Vim`,
  denied: `
I don't play the cello. | user | instrument | cello
The laptop doesn't have 64 GB of memory. | laptop | memory | 64 GB
I am not a lawyer. | user | profession | lawyer
We do not support Safari 13. | app | supported browser | Safari 13
The timeout isn't 30 seconds. | api | timeout | 30 seconds
No one in our family is a Catholic. | user | religion | Catholic
My manager is definitely not Ottilie. | user | manager | Ottilie
We got rid of Redis. | app | cache | Redis
I never eat breakfast before nine. | user | breakfast time | nine
The gym membership does not include the sauna. | gym membership | includes | sauna
I can't stand techno. | user | favourite music | techno
The report is not due on 12 March. | report | due date | 12 March
It is not the case that I studied at Coimbra. | user | university | Coimbra
Nothing in this repo is written in Haskell. | repo | language | Haskell
We gave up on Terraform. | team | infrastructure tool | Terraform
I haven't got a dog named Bruno. | user | dog | Bruno
The trial refuses patients above 70. | trial | age limit | 70
I wouldn't call Braga my home. | user | home town | Braga
The shirt is the wrong size, it is not an L. | shirt | size | L
Vim isn't my editor. | user | editor | Vim
The store is closed on Sunday. | store | open on | Sunday
The venue for the wedding is not Villa Rossi. | wedding | venue | Villa Rossi
We have no contract with Hetzner. | company | hosting | Hetzner
I am no longer a member of Fitbox. | user | gym | Fitbox
The dog is not a beagle. | dog | breed | beagle
Nora is anything but my lawyer. | user | lawyer | Nora
The backup does not run at 2 am. | backup | time | 2 am
I quit the choir Vox Nova. | user | choir | Vox Nova
My pronouns are not he/him. | user | pronouns | he/him
The invoice wasn't paid in yen. | invoice | currency | yen
The job hardly needs 16 GB. | job | memory | 16 GB
The framework we use is not Svelte. | frontend | framework | Svelte
I avoid Ryanair. | user | airline | Ryanair
Far from it, the colour is not teal. | logo | colour | teal`,
  asked: `
Does my manager prefer Slack? | manager | chat tool | Slack
Is the timeout of the api 30 seconds? | api | timeout | 30 seconds
Who plays the cello? | user | instrument | cello
Was my university Coimbra? | user | university | Coimbra
Did you know my editor is Helix? | user | editor | Helix
Should the log level be trace? | service | log level | trace
What happens when the replicas are set to 5? | service | replicas | 5
Is the dog a beagle, do you think? | dog | breed | beagle
Can you confirm that the venue is Villa Rossi? | wedding | venue | Villa Rossi
Please check that my flight is LH 1142. | user | flight | LH 1142
I was wondering if the budget is 40,000 euros. | project | budget | 40,000 euros
Could the framework be Svelte? | frontend | framework | Svelte
Any idea whether our accountant is Bruns? | user | accountant | Bruns
So my locker number is 218? | user | locker number | 218
Tell me whether the invoice currency is yen. | invoice | currency | yen
How come my timezone is set to UTC+9? | user | timezone | UTC+9
Is it Thursday that the choir meets? | choir | meeting day | Thursday
Am I right that the shirt size is L? | shirt | size | L
Do we host on Hetzner? | company | hosting | Hetzner
Find out if the trial's age limit is 70. | trial | age limit | 70
Is Nora my lawyer? | user | lawyer | Nora
Let me know if the deadline is 12 March. | report | deadline | 12 March
Would you say my accent is Bavarian? | user | accent | Bavarian
Has the ferry moved to pier 6? | ferry | pier | 6
Not sure if the cache TTL is 300. | cache | ttl | 300
The blood pressure is 130 over 85, isn't it? | user | blood pressure | 130 over 85
Which one of the editors is Kate? | user | editor | Kate
Make sure the line length is 88. | repo | line length | 88
Prove that the group is abelian. | group | property | abelian
Could it be that the breed is Akita? | dog | breed | Akita
Did the CFO sign, and is her name Lindqvist? | cfo | name | Lindqvist
I'd like to know if my seat is 14C. | user | seat number | 14C
Or is the branch called develop? | main branch | name | develop`,
  reported: `
My aunt says the dog is a beagle. | dog | breed | beagle
The wiki says the timeout of the api is 45 seconds. | api | timeout | 45 seconds
Gemini thinks my editor is Emacs. | user | editor | Emacs
According to Rosa, my manager is Ottilie. | user | manager | Ottilie
The landlord claims the heating is gas. | flat | heating | gas
The flyer announces that the venue is Villa Rossi. | concert | venue | Villa Rossi
Someone on Reddit recommends a line length of 120. | repo | line length | 120
The quiz tells me my personality type is INTP. | user | personality type | INTP
I read that the CEO of Norlys is Fabricius. | norlys | ceo | Fabricius
In the film the spy drives a Lancia. | spy | car | Lancia
Dad keeps telling people I study law. | user | field of study | law
The linter complained that the indentation is 3 spaces. | repo | indentation | 3 spaces
The consultant proposed a budget of 90,000 euros. | project | budget | 90,000 euros
Our intern believes the framework is Svelte. | frontend | framework | Svelte
The old readme lists Travis as the build tool. | repo | build tool | Travis
Per the invoice the hourly rate is 110 euros. | contractor | hourly rate | 110 euros
The seller described the bike as a Bianchi. | bike | make | Bianchi
They say the ferry leaves from pier 6. | ferry | pier | 6
LinkedIn thinks that I am a notary. | user | profession | notary
The label on the jar reads 200 mg. | supplement | dose | 200 mg
Jo mentioned that the password manager is Bitwarden. | team | password manager | Bitwarden
The fortune teller saw that my number is 8. | user | number | 8
The error says the log level is silly. | service | log level | silly
The minutes note that the accountant is Bruns. | club | accountant | Bruns
You told me that my blood pressure is 130 over 85. | user | blood pressure | 130 over 85
A neighbour swears that the tenant is called Pruitt. | tenant | name | Pruitt
The tutorial assumes that the shell is fish. | user | shell | fish
The bot summarised that my favourite airline is Ryanair. | user | favourite airline | Ryanair
I was told the wedding date is 9 September. | wedding | date | 9 September
My ex thinks our anniversary is 2 May. | user | anniversary | 2 May
Apparently the choir meets on Thursday. | choir | meeting day | Thursday
The teacher reckons that the instrument is an oboe. | child | instrument | oboe
Their ad promises a battery life of 30 hours. | headphones | battery life | 30 hours`,
  conditional: `
If we win the tender, the budget is 40,000 euros. | project | budget | 40,000 euros
I would play the cello with more time. | user | instrument | cello
When I retire I will move to Braga. | user | home town | Braga
We could switch the framework to Svelte. | frontend | framework | Svelte
The venue might be Villa Rossi. | wedding | venue | Villa Rossi
Unless you object, the line length is 100. | repo | line length | 100
Should it rain, the party is in the barn. | party | location | the barn
My next editor will be Zed. | user | editor | Zed
Perhaps my timezone is UTC+9 in spring. | user | timezone | UTC+9
I am thinking about a dog called Bruno. | user | dog | Bruno
The dose goes up to 40 mg if the fever stays. | patient | dose | 40 mg
I plan to study at Coimbra. | user | university | Coimbra
Once the audit is over, the accountant is Bruns. | club | accountant | Bruns
It would be great to fly with Finnair. | user | airline | Finnair
We may raise the timeout to 90 seconds. | api | timeout | 90 seconds
I want to become a notary. | user | profession | notary
Assume that the locker number is 218. | user | locker number | 218
In an ideal world my salary is 90,000. | user | salary | 90,000
With a bigger team the sprint length would be one week. | team | sprint length | one week
I am considering Hetzner for hosting. | company | hosting | Hetzner
Depending on the weather, the start is at 9:30. | race | start | 9:30
Next year my gym will be Fitbox. | user | gym | Fitbox
I guess the breed is Akita. | dog | breed | Akita
Let's say the hourly rate is 120 euros. | contractor | hourly rate | 120 euros
Ideally the replicas are 5. | service | replicas | 5
I would rather use Helix. | user | editor | Helix
The trial age limit becomes 75 as soon as the board agrees. | trial | age limit | 75
The wedding date is 9 September, provided the church is free. | wedding | date | 9 September
My dream car is a Lancia. | user | car | Lancia
Suppose that my sister is called Ilse. | sister | name | Ilse
I hope to get seat 14C. | user | seat number | 14C
The shell could be fish. | user | shell | fish
In the worst case the ferry leaves from pier 6. | ferry | pier | 6`,
  past: `
I used to play the cello. | user | instrument | cello
Back in school I wore glasses of 2 dioptres. | user | glasses | 2 dioptres
My manager was Ottilie. | user | manager | Ottilie
We had the timeout at 30 seconds. | api | timeout | 30 seconds
Our former accountant is Bruns. | club | accountant | Bruns
Until May the gym was Fitbox. | user | gym | Fitbox
I once had a dog named Bruno. | user | dog | Bruno
The repo had a line length of 120. | repo | line length | 120
In 2019 I earned 48,000. | user | salary | 48,000
The first venue was Villa Rossi. | wedding | venue | Villa Rossi
My old locker number is 218. | user | locker number | 218
We hosted on Hetzner before the merger. | company | hosting | Hetzner
I left Braga in 2011. | user | home town | Braga
The previous editor of the journal is Kremer. | journal | editor | Kremer
I was a notary for ten years. | user | profession | notary
As a student I shopped at Lidl. | user | supermarket | Lidl
The frontend was in Svelte at first. | frontend | framework | Svelte
My ex-landlord is called Pruitt. | landlord | name | Pruitt
Years ago my shell was zsh. | user | shell | zsh
Before the baby I got up at five. | user | wake time | five
The team retrospective was on Thursdays. | team | retrospective | Thursdays
The kitchen used to be yellow. | kitchen | colour | yellow
Last season the coach was Marek. | team | coach | Marek
I sold the Lancia. | user | car | Lancia
The phone I lost was a Pixel. | user | phone | Pixel
At my last job the stand-up was at 9:10. | team | stand-up | 9:10
I stayed at the Hotel Zora. | user | hotel | Hotel Zora
The plant died, it was a monstera. | plant | species | monstera
We had agreed on a deposit of 800 euros. | flat | deposit | 800 euros
My subscription ran out, it was the Pro plan. | user | plan | Pro
The original colour of the logo was teal. | logo | colour | teal
Our first child was due on 9 May. | child | birthday | 9 May
I drank two espressos a day back then. | user | coffee | two espressos`,
}

/** The sentence speaks of the subject and the value, and says another thing than the claim. */
const OTHER_RELATION = `
I applied to Norlys. | user | employer | Norlys
I flew over Braga. | user | home town | Braga
My manager dislikes Slack. | manager | chat tool | Slack
I wrote to Nora. | user | lawyer | Nora
We compared Hetzner. | company | hosting | Hetzner
My invoice went to Norlys. | user | employer | Norlys
The dog bit a beagle. | dog | breed | beagle
The api rejects requests above 30 seconds. | api | timeout | 30 seconds
I watched a film about Coimbra. | user | university | Coimbra
The team argued about Terraform. | team | infrastructure tool | Terraform
I met Ottilie. | user | manager | Ottilie
The repo mentions Haskell. | repo | language | Haskell
I am writing a review of Helix. | user | editor | Helix
The choir sang in Zagreb. | choir | city | Zagreb
I am waiting for the Fitbox parcel. | user | gym | Fitbox
The patient asked for 40 mg. | patient | dose | 40 mg
I rented a Lancia. | user | car | Lancia
The wedding cake comes from Villa Rossi. | wedding | venue | Villa Rossi
The journal criticises Kremer. | journal | editor | Kremer
The trial excludes smokers since 2020. | trial | start | 2020
I fixed a bug in zsh. | user | shell | zsh
The club sued Bruns. | club | accountant | Bruns
The logo stands on a teal background. | logo | colour | teal
My flat has 60 square metres. | flat | rent | 60
The service opened 5 tickets. | service | replicas | 5
I am learning Basque. | user | native language | Basque
Our company invests in Snowflake. | our company | data warehouse | Snowflake
The ferry passed pier 6. | ferry | home pier | 6
I bought my mother a cello. | user | instrument | cello
The project owes 40,000 euros. | project | budget | 40,000 euros`

const MUST_LIFT = `
I play the clarinet. | user | instrument | clarinet
My manager is Ottilie. | user | manager | Ottilie
I studied at the University of Ghent. | user | university | University of Ghent
We host everything on Scaleway. | company | hosting | Scaleway
I go to the gym Ironworks twice a week. | user | gym | Ironworks twice a week
My editor is Helix. | user | editor | Helix
The API times out after 45 seconds. | api | timeout | 45 seconds
I fly with Finnair. | user | airline | Finnair
Our dog is a whippet. | dog | breed | whippet
The budget of the project is 38,000 euros. | project | budget | 38,000 euros
I am a notary. | user | profession | notary
My pronouns are they/them. | user | pronouns | they/them
The wedding takes place at Villa Moretti. | wedding | venue | Villa Moretti
I get up at 5:45. | user | wake time | 5:45
Our accountant is Frau Bruns. | accountant | name | Frau Bruns
The frontend is built with Svelte. | frontend | framework | Svelte
I am in the time zone UTC+2. | user | time zone | UTC+2
We indent with tabs. | repo | indentation | tabs
My blood pressure is 128 over 82. | user | blood pressure | 128 over 82
The choir meets on Wednesday. | choir | meeting day | Wednesday
Lines are at most 96 characters. | lines | maximum | 96 characters
I shop at Migros. | user | supermarket | Migros
Our anniversary is 2 May. | user | anniversary | 2 May
The service runs with three replicas. | service | replicas | three
My locker number is 304. | user | locker number | 304
I am Catholic. | user | religion | Catholic
The report must be handed in by 12 March. | report | deadline | 12 March
My phone is a Fairphone 5. | user | phone | Fairphone 5
The team does its retrospective on Fridays. | team | retrospective | Fridays
I have two brothers. | user | brothers | two
The kitchen is painted yellow. | kitchen | colour | yellow
Our insurance covers 80 percent. | insurance | coverage | 80 percent
Nora is our lawyer. | lawyer | name | Nora
I take 50 mg of sertraline every morning. | user | sertraline | 50 mg
My laptop runs Debian. | laptop | operating system | Debian
The patch belongs to Idris. | patch | author | Idris
The ferry leaves from pier 3. | ferry | pier | 3
We bank with Triodos. | company | bank | Triodos
My favourite dish is ramen. | user | favourite dish | ramen
The cache expires after 300 seconds. | cache | ttl | 300 seconds
I commute by tram. | user | commute | tram
The newsletter is sent every second Monday. | newsletter | frequency | every second Monday
Marek coaches the junior team. | junior team | coach | Marek
The customer portal is written in Elixir. | customer portal | language | Elixir
I was born in 1987. | user | birth year | 1987
Tickets are tracked in Linear. | tickets | tracker | Linear
I wear glasses of minus 2. | user | glasses | minus 2
The museum closes at 17:30. | museum | closing time | 17:30
My thesis is about lichens. | thesis | topic | lichens
The workshop costs 240 euros. | workshop | price | 240 euros
I sit in seat 14C. | user | seat number | 14C
Backups go to the NAS in the cellar. | backups | destination | NAS in the cellar
Our sprint lasts two weeks. | sprint | length | two weeks
The admin of the forum is Teodora. | forum | admin | Teodora
I am married to Ilse. | user | spouse | Ilse
The reactor runs at 340 kelvin. | reactor | temperature | 340 kelvin
My hourly rate is 95 euros. | user | hourly rate | 95 euros
The tent sleeps four people. | tent | capacity | four people
We write commit messages in English. | commit messages | language | English
My shell is fish. | user | shell | fish`

const claims = (group: QuotedClaim['group'], lines: string): readonly QuotedClaim[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [said = '', subject = '', predicate = '', value = ''] = line.split(' | ')
      return { group, said, subject, predicate, value }
    })

/** A wrong quote of any kind: 200 of the groups that others name, and 30 of another relation. */
export const MORE_FALSE_QUOTES: readonly QuotedClaim[] = [
  ...Object.entries(MUST_NOT_LIFT).flatMap(
    ([group, lines]) => claims(group as QuotedClaim['group'], lines), // the keys are groups
  ),
  ...claims('other relation', OTHER_RELATION),
]

export const MORE_TRUE_QUOTES: readonly QuotedClaim[] = claims('states', MUST_LIFT)
