import type { Overruled } from '../../../stack/overruling.ts'
import type { Who } from '../caller.ts'
import type { Page } from './page.ts'
import { shortRef } from './words.ts'

/** What counts as itself from now on, or who has to say so. */
export function overruledPage(
  { entry, ref, disposition, proposed }: Overruled,
  who: Who,
  { ink }: Page,
): readonly string[] {
  if (proposed !== null) {
    return [
      `Put up for review, entry ${proposed.seq}: only a person says what was no echo.`,
      ink.faint('  next: muniment review --kind proposal'),
    ]
  }
  if (entry === null || ref === null) {
    return [who.person ? 'Nothing was recognised there.' : 'It waits for a person, or needs none.']
  }
  return [
    `${ink.good('Counts as itself:')} ${ink.ref(shortRef(ref))}, ${disposition}, entry ${entry.seq}`,
    ink.faint(`  next: muniment why ${shortRef(ref)}`),
  ]
}
