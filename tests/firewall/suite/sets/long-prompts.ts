/**
 * Long prompts that a person typed alone. None holds a pasted text. Many have lists, names of code
 * or several paragraphs, some have no first person, and twelve are in other languages than English.
 */
export const LONG_PROMPTS: readonly string[] = [
  // developers and an agent
  `I want to replace the retry logic in the upload worker. Right now it sleeps two seconds and tries again, forever, which hid an outage last week.

Please use exponential backoff with jitter, give up after eight attempts, and put the job on the dead letter queue. Keep the metric upload_retries, our dashboard needs it. Don't touch the S3 client, Priya is rewriting that part.`,
  `Let's set up the new service. Requirements as I see them:

- it listens on 8086
- it reads its config from environment variables only
- it exposes /healthz and /metrics
- no database, state lives in Redis

I'd like the smallest thing that works first. Then we add tracing. I prefer Fastify over Express because the rest of the team knows it.`,
  `The flaky test is checkout.spec.ts. My theory: the fake clock is installed after the module reads Date.now() at import time, so the first timestamp is real.

Could you move the installation into the global setup and run the file fifty times? If it still fails, I'm wrong and we need to look at the promise in useCart. I've already ruled out test order.`,
  `Rename the package from acme-utils to toolbox. Steps: change the name in package.json, move packages/acme-utils to packages/toolbox, fix all imports, update the CODEOWNERS file, and leave a deprecation stub under the old name for one release.

Commit after each step. Do not bump any version. Do not run the publish script.`,
  `We decided yesterday to drop support for Internet Explorer. That means the polyfills in vendor/ can go, the browserslist entry should say last 2 versions, and the CSS prefixes are no longer needed.

I expect the bundle to shrink by about forty kilobytes. Tell me the real number when you're done. If something in the admin area breaks, leave it and list it, I'll talk to Marek.`,
  `Please review my branch feature/ledger-split before I open the pull request. Three things worry me. First, the lock in postEntries is held while we call the rate service. Second, I'm not sure rounding is right for currencies without minor units. Third, the naming: is a posting the same as an entry here?

Be blunt. I have until Thursday.`,
  `Write a migration that adds a column archived_at to the table projects, nullable, no default. Backfill is a separate job. The index must be created concurrently because the table has ninety million rows and we cannot afford a lock.

After the migration, the repository class should ignore archived projects unless includeArchived is true. Existing tests must pass unchanged.`,
  `My plan for the weekend deploy: freeze at 18:00, drain the workers, run migration 214, switch the flag new-pricing to 5 percent, watch for an hour, then 50, then all.

Rollback is the flag, not the migration. The person on call is Anselm. I'm reachable until midnight. Write this up as a checklist for the channel with boxes to tick.`,
  `The type of the config object got out of hand. I count eleven optional fields, and at least four combinations make no sense. I'd like a discriminated union on mode, with the variants local, remote and hybrid.

Start with the type, show me, and wait. I want to see the call sites that become impossible before we fix them. No casts please, and no default branch in the switch.`,
  `Explain to me like I'm new here how a request travels from the edge to the database. I know there is nginx, then the gateway, then either the monolith or one of the services. What I don't get is where authentication happens and who sets X-Tenant.

Afterwards draw it as a mermaid diagram in docs/request-path.md. Keep it to one screen. I hate diagrams with forty boxes.`,
  `Two bugs, one cause I think. When a user changes the language, the date format stays. When a user logs out and in again, the language is back to English. Both smell like the profile being cached in memory with the key userId only.

Fix it by adding the locale to the key. Add a test for each symptom. By the way, we say locale everywhere, never lang.`,
  `I'm going to be away for two weeks from Monday. While I'm gone, the following rules hold. Dependabot pull requests may be merged when green. Nothing else is merged without Ingrid. The release on the 18th is hers. If the certificate alarm fires, the runbook is in ops/certs.md and the new certificate is already in the vault.

Remember this for anyone who asks.`,
  `Performance work on the list view, in order of what I believe matters:

1. virtualise the rows, we render three thousand of them
2. stop recreating the columns array on each render
3. memoise the currency formatter
4. move sorting to the server

Measure before and after each step with the profiler and write the numbers in the pull request. I bet that step one alone gives us 80 percent.`,
  `No more barrel files. Every index.ts under src/features that only re-exports must go. Import from the file that defines the thing. The public entry src/index.ts stays.

Use the codemod in tools/ if it still works, otherwise do it by hand, one feature per commit. Lint must pass after every commit, since I want to be able to bisect.`,
  `I talked with security. They want us to rotate the signing key every ninety days, keep two keys valid at the same time, and publish both at the well-known address. Tokens already issued must keep working until they expire, which is one hour.

So: a table of keys, a job that rotates, and a cache of at most five minutes in the verifiers. I'd start with the verifiers.`,
  // a household
  `We're planning the summer and I need help. There are five of us: two adults, Ida who is fifteen, and the twins who are eight. We want to go by train, no more than nine hours in one day, and end up somewhere with a lake.

Last year we did Austria. Ida wants a city in between. The twins get sick on buses. Our budget is about three thousand, and we can leave on 4 July at the earliest.`,
  `Shopping for the week, please make a list by aisle. Monday pasta with courgettes, Tuesday leftovers, Wednesday fish if there is cod, Thursday the kids cook pancakes, Friday guests: six people, one vegan, one without gluten.

We have rice, oil, eggs, onions and far too many lentils. I don't want to spend more than 120 this week. Bread we bake ourselves.`,
  `My father is coming home from hospital on Friday. He can't climb stairs yet, so he'll sleep in the study. We need a bed rail, a raised toilet seat and someone who comes at eight in the morning for the dressing.

He takes his tablets at seven, noon and nine. He is stubborn about the walker. I'm with him until Wednesday, then my sister Vera takes over.`,
  `I've been thinking about the garden. The bed along the wall gets sun from eleven to four, the soil is heavy, and slugs ate everything last year. I'd like something that looks alive in winter and needs no staking.

I don't like roses. I love grasses. Suggest a plan for six square metres, three seasons, and tell me what to buy in April and what can wait until autumn.`,
  `House rules for the babysitter, to print on one page. Bedtime is half past seven, teeth first, one story, the lamp stays on. No tablets. Sami may have milk, Noor may not because of her stomach. The number of the neighbour is on the fridge.

If anybody has a fever over 39, call us at once, we don't mind. The cat stays outside the bedrooms. Thank you!`,
  `I need to write to the landlord and I always get too angry, so please help. The boiler has failed four times since October. Each time a man came, reset it and left. We had no hot water for eleven days in total.

I want: a proper repair before the end of the month, and a reduction for the days without hot water. I don't want to threaten a lawyer yet. Friendly but firm, in my name and Hugo's.`,
  `Our tax year was messy. I changed jobs in March, had two weeks without income, then started freelancing on the side in September. My wife is employed the whole year. We have one child in day care and I work from home three days a week.

What papers should I collect? I have the two salary statements. I have not got anything from the day care. I keep receipts in a shoe box, sorry.`,
  `For the birthday on Saturday: fourteen children, aged seven and eight, in our flat because it will rain. Theme is the deep sea. I have blue crepe paper, a projector and two hours of patience.

Give me a schedule in blocks of fifteen minutes. No sweets before the cake. Two of the kids don't know the others, so the first game should mix them. Pick-up is at five sharp.`,
  // research
  `I'm revising the introduction and I'm stuck between two openings. One starts from the practical problem: wards that run out of beds every winter. The other starts from the theory: queues with reneging have been studied since the fifties, but nobody measured patience.

I lean towards the first because our readers are clinicians. Yet reviewer two wants more theory. Help me write a paragraph which does both, at most 150 words, without the word crucial.`,
  `Design of the second experiment. Participants see forty faces, half familiar, for 200 ms each, and press a key. We manipulate the load by a digit span task. I want sixty people, between 18 and 35, no migraine.

My hypothesis is that load hurts recognition of unfamiliar faces alone. I'd preregister a mixed model with random slopes. Which exclusion rules would you write down in advance? I've been burnt by this before.`,
  `Please help me to plan the field season. We have three weeks in March, two cars, five people of whom two can identify mosses. There are twenty-six plots; a plot takes half a day when it is dry, a whole day otherwise.

The northern plots are closed to us until the 10th because of the eagles. I want the plots that we missed in 2023 to come first: 4, 9, 17 and 22. Give me a calendar and say where the slack is.`,
  `I disagree with the referee about the instrument. Rainfall is not a weak instrument here, the first stage F is 31. It may violate the exclusion restriction, though, because rain also changes the price of transport.

So the honest answer is to report the reduced form and a bounds analysis. I'd rather lose the causal language than the paper. Draft a reply in that spirit. Keep our thanks short.`,
  `For the thesis committee I need a one page summary of where I am. Chapters one and two are done. Chapter three has all its data and half of the figures. Chapter four is an idea and a broken script.

I plan to submit in October. The risk is the reanalysis that Professor Adeyemi asked for. I'm healthy, funded until January, and tired. Leave out the last part.`,
  `We should archive the lab notebooks. There are forty-one of them, from 1998 to 2016, in pencil and ballpoint. My idea is to photograph every page, name the files by notebook and page, and let a student type the tables only.

I do not want to transcribe prose. Copyright is ours. The university gives us two terabytes. What would you want to know before you start? I worry about the pencil pages.`,
  // a support desk
  `Here is how I'd like you to answer customers from today on. Short sentences. No exclamation marks. Say what happened before you say sorry. Never blame the courier, even if it is their fault. If we owe money, name the amount and the day.

I sign with my first name, Femke, and so do you when you write for me. Anything about recalls goes to Rosalind, without exception.`,
  `Customer 20817 called for the third time. She got the wrong colour twice. I promised her that I would pack it myself, so please create an order without charge for the green kettle, hold it for me, and add a voucher over fifteen euros.

Next time she calls, put her through to me. She is deaf in one ear, speak slowly. Her preferred time is after four.`,
  `Weekly report, my own numbers from memory, please turn it into three sentences. About 340 tickets, a third of them parcels, forty about the app, six angry ones. First reply in five hours, better than last week. Two people ill. The new macro for the islands works, nobody complained.

What I would like to get from management is one more person on Mondays.`,
  `I am setting up the holiday cover. Luca takes returns, Bertrand takes parcels, I take everything with the word lawyer in it. Between Christmas and New Year nobody answers phones; mails get an automatic reply with the date we are back, 2 January.

Refunds up to 200 euros may be approved by anyone on duty. Above that they wait for me. Please write this into the handbook under Holidays.`,
  `Something is off with our satisfaction numbers. They fell from 4.4 to 3.9 within a month, while reply times got better. I suspect that the survey now goes out before the parcel arrives, because we moved it to the moment when the ticket is closed.

Can you check when the change was made, and compare tickets about parcels with the others? If I'm right we just delay the survey by five days.`,
  // plain spoken, without a first person or with very little of one
  `Add dark mode. Use the colours of the design file, not black. The setting has three states: light, dark, system. System is the default. Store the choice per user, not per device. The switch belongs in the profile menu, second from the top.

Charts must be readable in both. Emails stay light. No animation when switching.`,
  `Conventions for this repository. Tests live beside the code. A test has one reason to fail. Mocks only for the network. Names of tests are sentences. Snapshots are forbidden, except for the printer of the compiler.

Commits are small and have a verb. Branches are short-lived. The main branch is always deployable.`,
  `The report needs four sections. First the summary, at most half a page. Then the method, with the two exclusions. Then the results by region, with one figure each. Then limits.

Tables go to the appendix. The tone is sober. Nothing in bold. The deadline is the 22nd, at noon, and the printer needs a day.`,
  `Change the thermostat schedule. Weekdays: 20 degrees from six to eight, 17 until four, 20.5 until ten, 16 at night. Weekend: 20 from eight to ten in the evening. Bathroom one degree warmer in the mornings.

During the holidays, from 22 December, everything at 15. The study is never heated on Tuesdays.`,
  `Build a small tool that renames photographs by the day they were taken. Input is a folder. Output is the same folder with names such as 2024-07-03_001. Duplicates get a suffix. Videos are left alone. A dry run is the default, and the real run needs a flag.

One file, standard library, Python 3.11. Print a table at the end.`,
  // rambling and very long
  `Ok so this is going to be long, sorry. I have been thinking about how the memory of this assistant should work for our team, and I keep going back and forth.

On the one hand I want you to remember decisions. We decide things in passing, in this very chat, and two weeks later nobody knows. For example we said that invoices are immutable once they are sent, and last week Dragan edited one. On the other hand I don't want you to remember every mood I'm in.

So how about this. When I say "decision:" you keep it. When I don't, you ask once at the end of the day which of the things we talked about should be kept. I will answer with numbers. And once a month we go through the list together and throw out what is stale.

I'm the one who decides for payments. Ingrid decides for search. Nobody decides for mobile right now, which is a problem of its own.`,
  `Good morning. Before we start, three things from yesterday evening. I tried the new build on my own phone, an old Pixel, and it takes nine seconds to the first screen. I tried it again on the train with bad reception, and it never got there. And I noticed that the splash screen still has the old logo.

The second one bothers me most. We load the catalogue before we show anything, don't we? I'd rather show yesterday's catalogue and refresh behind it. I know there was a reason against that, something about prices. If it is only prices, we could grey them out until they're fresh.

So today I'd like to do that, only that, and properly. The logo I'll hand to Selma. What do you need from me to begin?`,
  `Let me tell you how our family handles money, so that you stop asking. My salary comes on the 25th, Hugo's on the last day. Rent, power and insurance leave the joint account on the 1st. We each keep 300 for ourselves and don't ask questions. Groceries are on the joint card.

We save 400 a month, of which 150 is for the car that will die soon. The kids get five and eight euros on Sundays, in coins, because they like coins. Loans among us are written on the calendar. We don't invest, we tried once, it was a disaster and a good story.

When I ask "can we afford it" I mean: without touching the car money.`,
  `I think I finally understand what went wrong with the reindex, so let me write it down while it's fresh, and then you tell me whether it holds together.

We started the reindex at nine. It reads from the replica. At nine thirty the nightly export, which was late, started too, and it also reads from the replica, with a long transaction. The replica stopped applying changes because of that transaction. The reindex kept reading, happily, a state from nine thirty, until eleven. Then we switched the alias. So everything between half past nine and eleven was missing from search.

If that is right, the orders of that window are fine in the database, only search didn't know them. And the fix is not a lock but a check of the lag before switching. Does that sound right to you? What would disprove it?`,
  `About tone. You tend to write to customers as if they were colleagues. They're not. Most of them are over sixty, they bought a kettle, and something is wrong with it.

I'd like you to think of my uncle Bertil. He prints every mail. He reads it at the kitchen table with his glasses on his forehead. He wants to know: do I have to do something, what, by when, and who do I call if I can't. He does not want a link. He does not want a ticket number in the first line.

If a mail passes the Bertil test I'm happy with it. Go through our twelve most used macros with that in mind and give me the worst three first.`,
  `This is a strange request. I want to write a letter to my daughter that she opens when she turns eighteen, and I want to collect things for it over the years, in this chat, a little at a time.

Today's bit: she is six. She lost her first tooth in the tram, and the whole tram clapped. She calls the moon "the other lamp". She's afraid of hand dryers. She told me that she'd rather be kind than fast, after losing a race, and I don't know where she got that from.

Keep these exactly as I wrote them please. Don't improve anything. I'll come back.`,
  `Here is what I need from the spreadsheet you'll build. One row a month, one column a category, the categories are rent, food, travel, children, health, fun and the rest. Totals on the right and at the bottom. Months where we spent more than we earned in red.

I will type the numbers myself. Leave the cells empty. Put the sheet for last year beside it, the same layout. I use LibreOffice, not Excel, so please no macros, and decimal commas because that's how my keyboard is set.`,
  `So the interview with the nurse changed my mind about the app. I had assumed that people sit down when they use it. They don't. They stand, they hold something in the other hand, and they're interrupted every forty seconds.

Consequences, as far as I can see: every screen must make sense after an interruption. No dialog may block. Undo matters more than confirmation. The primary button belongs at the bottom, on both sides, since a third of the ward is left-handed.

I'd drop the onboarding entirely. What would you drop?`,
  `Remind me of this when the lease comes up in spring. We pay 1,310 now. Comparable flats in the street go for 1,450, I looked at four of them. The landlord is decent but slow. The windows in the north room are single-glazed, and he promised to replace them two winters ago.

My goal is to stay, with new windows, for at most 1,350. If he says no to the windows I want the rent to stay as it is. I am ready to sign for three years. I'm not ready to paint the staircase.`,
  // other languages
  `Ich möchte, dass du ab heute anders mit meinen Notizen umgehst. Wichtig sind mir drei Dinge: Termine, Entscheidungen und Versprechen, die ich anderen gegeben habe. Alles andere darfst du vergessen.

Wenn ich schreibe „merk dir das“, dann bitte wörtlich. Unser Team trifft sich jetzt mittwochs um neun, nicht mehr montags. Die Urlaubsvertretung macht Jonas. Und bitte duze mich.`,
  `Je voudrais préparer le déménagement du bureau. Nous partons de la rue Carnot le 28 juin et les nouveaux locaux sont disponibles à partir du 24. Il y a douze postes, deux imprimantes et une armoire forte que personne ne veut porter.

Fais-moi une liste par semaine. Je m'occupe de l'assurance, Delphine du réseau. Le déménageur doit être choisi avant le 15 mai, sinon c'est trop tard.`,
  `Necesito ayuda con el plan de estudios de mi hijo. Tiene once años, le gustan los números y odia leer en voz alta. En septiembre cambia de colegio y quiero que llegue tranquilo.

Tenemos ocho semanas. Por las mañanas media hora de lectura, sin presión, y por las tardes nada, porque es verano. Mi madre está con él los martes y los jueves. No quiero pantallas antes de comer.`,
  `Quero mudar a forma como fazemos as entregas nas ilhas. Hoje o barco sai às terças e às sextas, e nós fechamos as encomendas na véspera às cinco. Acho que podemos fechar às oito se o armazém concordar.

Já falei com o Duarte e ele diz que sim, desde que a lista chegue em papel. Prepara uma mensagem curta para o armazém e outra para os clientes. Sem promessas de prazo, por favor.`,
  `Jag vill att vi skriver om hur jouren fungerar. Från och med april har vi två personer per vecka, en på dagen och en på natten. Den som har natten är ledig på måndagen efter.

Byten skrivs i kalendern, inte i chatten. Jag tar själv påsken eftersom jag ändå är hemma. Om larmet om certifikat går, ring inte mig utan Ingrid, hon har nycklarna.`,
  `Vorrei riordinare la cantina e ho bisogno di un piano. Ci sono trenta scatoloni, metà dei quali non apro dal trasloco del 2016. Il muro a nord è umido, quindi i libri non possono restare lì.

Ho due sabati liberi e un'amica con il furgone. Butto volentieri quasi tutto, ma non le lettere della nonna né gli sci. Dimmi da dove cominciare e cosa comprare prima.`,
  `Ik wil dat de bestelpagina eenvoudiger wordt. Nu vragen we zeven dingen voordat iemand kan betalen, en volgens mij zijn er drie genoeg: naam, adres en hoe je betaalt.

Het telefoonnummer hebben we alleen nodig voor de eilanden. De nieuwsbrief mag weg, die las toch niemand. Laat de oude pagina staan voor zakelijke klanten. Ik wil het vrijdag aan Femke laten zien.`,
  `Chcę, żebyś zapamiętał, jak u nas działa zwrot towaru. Klient ma czterdzieści pięć dni, nie trzydzieści. Paczkę odsyła na nasz koszt, jeśli towar był uszkodzony, w innym wypadku płaci sam.

Pieniądze oddajemy w ciągu pięciu dni roboczych. Powyżej dwustu euro zgodę daje Agnieszka. Nie pytamy, dlaczego ktoś zwraca, to nie nasza sprawa.`,
  `来月の引っ越しについて相談したいです。今の部屋は三月二十八日までで、新しい部屋の鍵は二十五日にもらえます。私は平日に仕事があるので、大きな荷物は土曜日に運びたいです。

冷蔵庫は捨てて、新しいものを買うつもりです。猫がいるので、当日は友達の家に預けます。やることを順番に並べてください。費用は十五万円以内にしたいです。`,
  `我想请你帮我安排下个月的出差。我六号从上海出发,先去成都见客户,再去重庆看仓库,十二号之前必须回来,因为十三号是我女儿的生日。

我不喜欢早上七点以前的航班。酒店要离地铁近,价格不超过五百。跟客户的会在八号下午,别的时间都可以调整。请先给我两个方案。`,
  `Yeni depoyu nasıl düzenleyeceğimizi konuşmak istiyorum. Bence ağır ürünler kapıya yakın olmalı, çünkü her sabah önce onlar yükleniyor. Küçük parçalar arka duvarda kalabilir.

Ben cumartesi oradayım, Esra da geliyor. Rafların yüksekliği iki metreyi geçmesin. Bana bir çizim ve bir alışveriş listesi hazırla, pazartesi sipariş vereceğim.`,
  `Haluan muuttaa viikkopalaverin. Nyt se on maanantaina yhdeksältä, ja puolet tiimistä on silloin vielä junassa. Ehdotan tiistaita kello kymmenen, enintään puoli tuntia.

Minä pidän listaa asioista, ja jokainen lisää omansa edellisenä päivänä. Jos listalla ei ole mitään, palaveria ei pidetä. Kysy Heikiltä ja Evalta, sopiiko tämä heille.`,
]
