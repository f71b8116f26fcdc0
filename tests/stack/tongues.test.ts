import { expect, test } from 'vitest'
import { Entity, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'

/** What is asked, and the memory that it should find first. */
const ASKED: readonly (readonly [query: string, said: string])[] = [
  // Chinese: in the middle of a sentence, one character, traditional
  ['咖啡', '我每天早上喝一杯咖啡。'],
  ['早上喝什么', '我每天早上喝一杯咖啡。'],
  ['猫', '她养了三只黑猫'],
  ['臺北車站', '明天在臺北車站見面'],
  // Japanese: kanji, kana, half width, a single character in a word
  ['東京タワー', '先週、東京タワーに登りました。'],
  ['寿司', '夕食は寿司でした'],
  ['水', '水曜日に会議があります'],
  ['ﾗｰﾒﾝ', '昼はラーメンを食べた'],
  // Korean: with and without its particle
  ['서울', '서울에서 친구를 만났다'],
  ['김치찌개', '저녁으로 김치찌개를 먹었습니다'],
  // Arabic: article, vowel signs, forms of alef and ta marbuta
  ['كتاب', 'قرأت الكتاب الجديد أمس'],
  ['مدرسة', 'ذهب إلى المدرسه صباحا'],
  ['محمد', 'مُحَمَّدٌ يعمل طبيبا'],
  ['احمد', 'أحمد يسكن في القاهرة'],
  // Hebrew, Greek, Cyrillic, Hindi, Thai, German
  ['שלום', 'שָׁלוֹם לכולם'],
  ['καφέ', 'Πίνω ΚΑΦΕ κάθε πρωί'],
  ['ёлка', 'Елка стоит в углу'],
  ['हिन्दी', 'मैं हिन्दी बोलता हूँ'],
  ['ภาษาไทย', 'ฉันกำลังเรียนภาษาไทยอยู่'],
  ['hauptstrasse', 'Die Hauptstraße ist gesperrt'],
  // Pictures: by themselves, in another colour, a flag
  ['🎉', 'we won the cup 🎉🎉'],
  ['👍🏽', 'she answered with a 👍'],
  ['❤', 'signed with a ❤️'],
  ['🇯🇵', 'the stamp shows 🇯🇵'],
  // Names in code: whole, in parts, any way of writing them
  ['getUserName', 'the crash is in getUserName() of the profile page'],
  ['crash user name profile', 'the crash is in getUserName() of the profile page'],
  ['max_retry_count', 'set max_retry_count to five'],
  ['maxRetryCount', 'set max_retry_count to five'],
  ['HTTPServer', 'HTTPServer listens on port 8080'],
  ['src/stores/sqlite.ts', 'look into src/stores/sqlite.ts first'],
  ['v2.10.3', 'the build broke with v2.10.3 only'],
  ['E_CONNREFUSED', 'it printed E_CONNREFUSED again'],
  // Parts of words
  ['kuber', 'the kubernetes cluster moved'],
  ['postg', 'PostgreSQL needs more memory'],
  ['thermod', 'his thermodynamics exam is near'],
  // Inside a word, at its end, in a compound, in a name that nothing divides
  ['bernet', 'the kubernetes cluster moved'],
  ['gresql', 'PostgreSQL needs more memory'],
  ['versicherung', 'Die Krankenversicherung wurde teurer'],
  ['userid', 'lookupuseridbyemail returned nothing'],
  ['стоян', 'Автостоянка закрыта'],
]

const ORDINARY = Array.from(
  { length: 60 },
  (_, at) => `An ordinary thought, number ${at}, about the garden fence`,
)

/** What looks like the language of some index or shell. */
const HOSTILE = [
  '"', '""', "'; DROP TABLE words; --", 'NEAR(a b, 3)', 'terms : cat', '猫*', '^猫', '猫 AND OR NOT',
  '(', '{a b} : c', '\0', '\ud83d', '-猫', 'a"b', '%', '_', '猫'.repeat(4_000), '🎉'.repeat(5_000),
] as const // biome-ignore format: one list of odd things

for (const [name, options] of [
  ['in memory', () => ({ store: new MemoryStore() })],
  ['in SQLite', () => ({ path: ':memory:' })],
] as const) {
  test(`a question in any script finds what it should, ${name}`, async () => {
    const stack = await openStack('tongues', options())
    const me = new Entity('my-agent')
    await me.attachStack(stack)
    for (const text of new Set([...ASKED.map(([, said]) => said), ...ORDINARY])) await me.note(text)
    const missed: string[] = []
    for (const [query, said] of ASKED) {
      const [first] = await stack.search(query, { limit: 3 })
      if (first?.content !== said) missed.push(`${query}: ${first?.content}, not ${said}`)
    }
    expect(missed).toEqual([])
    for (const query of HOSTILE) expect(Array.isArray(await stack.search(query))).toBe(true)
    expect(await stack.search('犬')).toEqual([])
    await stack.close()
  })
}
