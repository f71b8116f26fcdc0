import { readFileSync } from 'node:fs'
import { dataFolder } from '../support/data.ts'

/** Our own list, always there: each has broken some program somewhere. */
export const OWN_STRINGS: readonly string[] = [
  '',
  ' ',
  '\t\n\r',
  '\u00a0\u2003\u3000',
  '\ufeff',
  '\u200b',
  '\0',
  'a\0b',
  '\u0001\u001f\u007f\u0085',
  'null',
  'NULL',
  'undefined',
  'true',
  '0',
  '-0',
  '1e309',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '{"a":1}',
  '[]',
  '"',
  "'",
  '\\',
  '\\u0000',
  '%00',
  '%s%n',
  '$1 $& $$',
  "'; DROP TABLE memories; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'ﬁ ﬀ',
  'e\u0301',
  'é',
  'İ ı ſ ß',
  'Ω Ω Å Å',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇩🇪',
  '\u202eright to left',
  '\u2028\u2029',
  'ﷺ',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  '\uffff\ufffe\ufffd',
  '\u{10ffff}',
  'mem:raw:00000000-0000-7000-8000-000000000000',
  'kernle:skip provenance',
]

export const LONE_SURROGATES: readonly string[] = [
  '\ud800',
  '\udc00',
  'a\ud83d',
  '\ude00a',
  '\udc00\ud800',
]

const place = dataFolder('bad-input', 'naughty-strings.json')

/** The big list, or undefined where the outside data is absent. */
export const NAUGHTY_STRINGS: readonly string[] | undefined =
  place === undefined ? undefined : JSON.parse(readFileSync(place, 'utf8'))
