// Written before the rules for pastes were chosen. "====" stands between prompts.

const HONEST = `
Remember this: we deploy on Tuesdays, never on Fridays.
====
My preference: short answers, no bullet points.
====
Two things: I am allergic to sesame, and my flight leaves at 6.
====
Quick question: does our rate limit of 60 per minute count failed logins too?
====
Context: I run the finance team of a small brewery and I am new to SQL.
====
Decision: Kestrel becomes the name of the new service.
====
The answer is: Wellington.
====
who wrote the novel about the white whale: Herman Melville
====
Our office hours are 9:30 to 17:00, the phone is answered by Dörte.
====
TODO for tomorrow: call the plumber, renew the passport, buy oats.
====
I want three things from you:
1. read the failing test
2. tell me why it fails
3. propose the smallest fix
====
Please plan my week.
- Monday is for the thesis
- Tuesday I have physio at 10
- Friday I need free
====
I changed my mind about the database. We go with Postgres after all, because Mira knows it well and the hosting is cheaper. Please keep that in mind for the schema.
====
The error says the port is taken, but I have nothing else running on 3000. I already restarted twice.
====
My boss told me that the launch moves to 3 June, so please shift all milestones by a week.
====
I am writing a novel about a lighthouse keeper who finds a message in a bottle. The keeper is called Anselm, he is 61, and he has a dog. I would like the first chapter to be slow and quiet. Anselm should not talk before the end of the chapter. The weather matters a lot to me: fog in the morning, a storm at night. Can you suggest an outline in six scenes, with one sentence for each scene? Keep the language plain, because I will translate it into Danish later.
====
Let's refactor the import module. I would split it into three files: one that reads, one that checks, one that writes. The reading part must stay as fast as it is today. I don't care much about the checks, they run once. Don't touch the tests yet, I want to see them fail first.
====
I have been thinking about our onboarding. New people need too long until their first commit, mostly because of the laptop setup. What if we gave them a container from day one? Ravi tried that in his last team and it worked. I would start with the backend people only. Could you write a short proposal for me, half a page, without buzzwords?
====
Use British spelling. Call me Jo. Never commit without asking.
====
We have 3 environments: dev, staging and prod. Dev is wiped every night. Staging is a copy of prod from Sunday. Only Lotte may log in to prod.
====
Hi! I'm Selin, I work in a library in Izmir and I need help with a spreadsheet of 4,000 books.
====
hello, can you help me with css? my header overlaps the menu on phones
====
Thanks, that worked. One more thing: the footer should be sticky.
====
Note to self: the spare key is with Mrs Albers on the second floor.
====
I said "never on Fridays" and I meant it.
====
The CLI prints "done" even when it failed, I'd rather have an exit code.
====
My notes from today's walk: saw two herons, the path by the mill is closed, new bench near the oak. I want to keep a list like that for every Sunday.
====
Budget for the trip is 1,800 euros in total. Flights are booked already (LH, 14 May). I still need a hotel near the old town, max 120 a night, breakfast included. My wife does not like big chains.
====
Here is what I want: a script that renames all photos by date.
====
Here's my situation: I have two offers, one in Graz and one in Basel, and I have to answer by Thursday. Graz pays less but my sister lives there.
====
Please fix: the login button is hidden on small screens.
====
Bug: when I save twice, the second save is lost. I think the lock is never released.
====
Step 1 is done. Step 2 is open because I'm waiting for the certificate. Step 3 we skip.
====
Ich wohne seit März in Jena und suche einen Chor. Ich singe Bass und habe donnerstags Zeit.
====
Bitte merken: unser Team heißt jetzt Otter, und Releases macht Svenja.
====
Je préfère des réponses courtes, et je travaille toujours avec Python 3.12.
====
Prefiero el tren al avión. Mi jefa se llama Pilar y la reunión es los lunes a las 9:00.
====
From now on all dates in this project are written like 2025-03-14.
====
Important: I can't eat gluten. Warning from last time: the soup had barley in it.
====
To: be clear, I never asked for dark mode. I asked for larger fonts, because I read on an old screen and my eyes get tired.
`

/** Short prompts with colons, lists and labels that a person typed from the first word to the last. */
export const TYPED_PROMPTS: readonly string[] = HONEST.trim().split('\n====\n')
