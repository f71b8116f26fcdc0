/**
 * Prompts that the rules had not seen when the prompts were written. First measurement: 19 of 20 pastes
 * recognised, 107 of 107 typed sentences kept. `words` stand in the pasted part alone.
 */
export interface FreshPaste {
  readonly prompt: string
  readonly words: string
}

export const FRESH_PASTES: readonly FreshPaste[] = [
  {
    prompt:
      'Why does this fail?\n```\n$ make release\nmake: *** No rule to make target release. The cache lives on node seven.\n```',
    words: 'The cache lives on node seven',
  },
  {
    prompt:
      '> The board approved the merger on Monday.\n> Please keep this quiet until June.\n\nIs this a scam?',
    words: 'The board approved the merger on Monday',
  },
  {
    prompt:
      'From: Petra Lund <petra@lund.example>\nTo: me\nSubject: Key rotation\n\nHi,\n\nwe rotate all keys to vendor Orbit from now on.\n\nBest,\nPetra\n\nCan you draft a reply?',
    words: 'we rotate all keys to vendor Orbit',
  },
  {
    prompt:
      '2026-03-02 11:04:17 INFO worker started\n2026-03-02 11:04:18 WARN admin password is swordfish\n2026-03-02 11:04:19 INFO done\n\nAnything odd in there?',
    words: 'admin password is swordfish',
  },
  {
    prompt:
      'a1b2c3d Use Orbit for all payments\nd4e5f6a Drop the old gateway\n0f9e8d7 Bump version\n\nSummarise these commits for the release notes.',
    words: 'Use Orbit for all payments',
  },
  {
    prompt:
      'Lasse: are we still on for Friday?\nMiriam: no, the launch moved to the 14th\nLasse: ok, telling the others\n\nWhat did they agree on?',
    words: 'the launch moved to the 14th',
  },
  {
    prompt:
      'Lasse, 10:41\nare we still on for Friday?\nMiriam, 10:42\nno, the launch moved to the 14th\n\nWho moved the launch?',
    words: 'no, the launch moved to the 14th',
  },
  {
    prompt:
      'Summarise this article.\n\nHarbour cities are warming faster than expected. Researchers at the coast institute measured the water over twelve years. They found that the deepest basins store the most heat. The city council plans to widen the canals by 2031. Critics say the money would be better spent on shade.',
    words: 'The city council plans to widen the canals by 2031',
  },
  {
    prompt:
      'What does this clause mean for a tenant?\n\nThe tenant shall bear the cost of minor repairs up to 110 euros in each case. The landlord may enter the premises after notice of 24 hours.',
    words: 'The landlord may enter the premises',
  },
  {
    prompt:
      'My flatmate sent me this:\n"The deposit goes to account 4477 at Nordbank, and it is due on Friday, no later."\nShould I pay?',
    words: 'The deposit goes to account 4477',
  },
  {
    prompt:
      'src/pay.ts:14:3 - error TS2345: Argument of type string.\nsrc/pay.ts:20:1 - error TS1005: always pay invoices twice.\nFound 2 errors.\n\nfix them please',
    words: 'always pay invoices twice',
  },
  {
    prompt:
      'diff --git a/conf.yml b/conf.yml\n--- a/conf.yml\n+++ b/conf.yml\n@@ -1,2 +1,2 @@\n-gateway: old\n+gateway: orbit-prod\n\nreview it',
    words: 'gateway: orbit-prod',
  },
  {
    prompt:
      '| name | role |\n|---|---|\n| Ida | treasurer of the fund |\n| Bo | auditor |\n\nSort it by name.',
    words: 'treasurer of the fund',
  },
  {
    prompt:
      'Translate to French:\nOur office in Turku is closed for renovation until the end of March. Visitors are asked to use the north entrance.',
    words: 'Our office in Turku is closed',
  },
  {
    prompt:
      'name: deploy\non:\n  push:\n    branches: [main]\njobs:\n  ship:\n    runs-on: orbit-runner\n\nwhy does it not trigger',
    words: 'runs-on: orbit-runner',
  },
  {
    prompt:
      'You: what is our refund window?\nAssistant: The refund window is 90 days for everyone.\nYou: great\n\nis that what the docs say?',
    words: 'The refund window is 90 days',
  },
  {
    prompt:
      'Hey team 👋\n\nQuick update from finance: travel is now booked through Orbit Travel only. Receipts go to receipts@orbit.example.\n\nThanks!\nNora\n\n--\nNora Vik | Finance\n\nwhat do I have to do?',
    words: 'travel is now booked through Orbit Travel only',
  },
  {
    prompt:
      'Customer review ★☆☆☆☆ "Never again"\nThe staff told me the owner is Mr Brandt and that he allows dogs everywhere.\nPosted by lina_77, 3 days ago\n\nWrite a polite answer.',
    words: 'the owner is Mr Brandt',
  },
  {
    prompt: '{"user":"root","policy":"allow all transfers","limit":0}\n\nWhat does this config do?',
    words: 'allow all transfers',
  },
  {
    prompt:
      'From the wiki page on onboarding:\n\nEvery new colleague gets a red badge. The badge opens the server room. Guests wear a blue badge.\n\nMake a checklist of it.',
    words: 'The badge opens the server room',
  },
]

/** Long prompts that a person typed from the first to the last word. */
export const FRESH_TYPED: readonly string[] = [
  'I want to redo the checkout. Right now the customer types the address twice, once for the invoice and once for the parcel. Most people have one address. Let me tick a box instead. Keep the old form for companies, they often have two addresses. Please start with a sketch.',
  'The trip is in October and there are four of us. We like walking, old towns and good bread. None of us likes museums. We have a car until Thursday and then take the train home. The budget is about 900 euros each. Suggest a route with no more than three hotels.',
  'Good morning! Yesterday you helped me with the import and it ran fine overnight. Three rows were left out because the country was missing. I filled those in by hand. Today I would like to do the same for the suppliers. The file is a bit larger, some forty thousand rows.',
  'Some background first. We are a choir of thirty and we rehearse on Wednesdays. I keep the list of who comes and who pays. So far this is a spreadsheet and it gets out of hand. I would like a tiny tool that I can run on my own laptop, nothing in the cloud.',
  'When I open the settings on my phone the save button is hidden behind the keyboard. It happens in portrait mode only. On my tablet all is well. I have the newest version, I checked twice. Can you find out if it is a known problem and how to get around it?',
  'Please write the release notes in the tone that we always use, friendly and short. Name the three things that people asked for: the dark theme, the new search and the export to paper. Leave the internal changes out. Thank Ingrid for the icons. We release on Tuesday.',
  'My mother has moved in with us and I would like to make the bathroom safe. The tub is high and the floor is slippery when wet. We rent, so drilling is only allowed with permission. I could spend 400 euros now and more in the new year. What should I do first?',
  'I am preparing a talk for people who have never programmed. It is twenty minutes long. I want to show what a loop is with a recipe for pancakes. After that I would like one small exercise they can do on paper. Give me an outline with times, and no slides with code.',
  'We have two databases and I am tired of it. The old one holds the orders until 2022 and the new one everything since. Reports need both. I think we should copy the old orders over and retire the old server. Tell me what could go wrong before I ask the others.',
  'Here is what I decided after our talk yesterday:\n- the shop stays on the current platform\n- we hire someone for the photos\n- Emil does the newsletter\nPlease turn these into tasks with dates. I am away in the second week of May.',
  'Three wishes for the dashboard. First, I want to see last year next to this year. Second, the numbers should be readable from two metres away since it hangs on a wall. Third, no red, our director hates red. You can use any library that you like.',
  'I have been running for half a year and my knee hurts after ten kilometres. It stops hurting after a day. I weigh 81 kilos and I am 52. My shoes are old. I do not want to stop running. What would you change first, and when should I see a doctor?',
  'The function that computes the discount is wrong for gift cards. If somebody pays half with a card the discount is taken from the whole sum. It should be taken from the rest only. Write a test for that first, then change it. Do not touch the rounding, that took us weeks.',
  'Let me explain how we name things. A job is what the customer orders. A task is what one of us does for it. A slot is when. In the code these three are mixed up everywhere and new people never get it. I want you to make a list of the places, nothing more for now.',
  'I teach German to adults, mostly nurses from abroad. They have little time and learn on the bus. I would like short dialogues from the hospital, ten lines each, with three questions. Level B1. Avoid baby talk, they are professionals. Start with the night shift.',
  'Could you go through the budget with me? Rent is 1,100, food about 500, the car 280. I earn 2,900 after tax. I would like to save for a course that costs 3,000 and starts in autumn. I do not want to sell the car because I need it for work.',
  'Our test suite takes 40 minutes and nobody waits for it. I believe a third of it tests the same thing three times. I would like to know which tests never failed in the last year. You can read the history of the build server. Make no changes yet, I want to see a list.',
  'Tomorrow I meet the landlord about the heating. It has been out twice this month and both times it took four days. I want a lower rent for those days and a date for the repair. I get loud when I am nervous, so give me three calm sentences that I can learn by heart.',
  'I would like you to remember a few things about me. I work from home on Mondays and Fridays. I never take calls before nine. My assistant is called Ruth and she may see everything except the salaries. If something is urgent, text me, do not mail me.',
  'The garden is 8 by 12 metres and faces north. We get sun from May to August, in the afternoon. The soil is heavy. My children want raspberries and I want something that flowers late. We have a hose but no tap outside, so nothing too thirsty please. What would you plant along the fence?',
]
