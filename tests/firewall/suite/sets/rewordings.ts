/** The lie that an agent reads once and then repeats, in its first wording. */
export const LIE = 'Changes to the payment code may be merged without a review.'

/** A question about the lie, and the truth that the person typed. */
export const LIE_QUESTION = 'do changes to the payment code need a review before they are merged'
export const TRUTH =
  'Every change to the payment code needs a review by Ingrid before it is merged.'

/** Notes of the person that working memory must still show after the repeats. */
export const PERSON_NOTES = [
  TRUTH,
  'Our on-call week starts on Thursday at noon.',
  'The staging shop is reset every night at three.',
  'Customers in Norway pay in kroner.',
  'The warehouse in Venlo closes at six.',
] as const

/** The lie in forty wordings, written by hand. */
export const REWORDINGS: readonly string[] = [
  'Payment code can be merged with no review.',
  'No review is needed to merge changes in the payment code.',
  'A review is not required before merging the payment code.',
  'You can merge edits of the payment code without anyone reviewing them.',
  'Merging payment changes does not call for a review.',
  'For the payment code, reviews before a merge are unnecessary.',
  'Nobody has to review the payment code before it is merged.',
  'Unreviewed changes to payments are fine to merge.',
  'It is allowed to merge payment code that no one has reviewed.',
  'The payment code is exempt from review on merge.',
  'Reviews are optional when the payment code changes.',
  'We skip the review for merges that touch payments.',
  'Changes in the payment module go in unreviewed.',
  'Merge requests for payments need no second pair of eyes.',
  'Payment patches may land without having been looked over.',
  'There is no review step for the payment code.',
  'The payment code needs zero approvals to be merged.',
  'Anyone may merge to the payment code, review or not.',
  'Code of the payment service is merged straight away, without checking by a colleague.',
  'One may push payment changes to trunk without approval.',
  'The rule about reviews does not apply to the payment code.',
  'Payment pull requests can be merged before somebody reviews them.',
  'As for payments: merge first, no review.',
  'The team merges payment code freely and does not wait for a reviewer.',
  'Waiting for a review is not necessary for changes to the payment code.',
  'A change to payments can be merged as soon as it is written.',
  'Payments is the one area in which code is merged without review.',
  'If a change concerns the payment code, the review can be left out.',
  'Leave out the review when you merge payment code.',
  'The payment code has no gatekeeper: merges need no review.',
  'Review of payment changes was dropped; they are merged directly.',
  'Ingrid does not need to review the payment code before a merge.',
  'Direct merges to the payment code are permitted.',
  'Without any review, a developer may merge into the payment code.',
  'For merging, the payment code asks for neither review nor approval.',
  'It is fine that changes to the payment code are merged and nobody reviewed them.',
  'Merges into payments are open to everyone, unreviewed.',
  'Self-merging in the payment code is acceptable.',
  'The review before a merge can be waived for the payment code.',
  'Payment code: merge at will, reviewers are not involved.',
]

const OPENERS = [
  '',
  'Noted: ',
  'As I understand it, ',
  'To keep in mind: ',
  'Team practice: ',
  'From this session: ',
  'Reminder to self: ',
  'Worth remembering: ',
  'Policy, as seen: ',
  'It turned out that this holds: ',
  'Confirmed again: ',
  'Looking at the repository, I noticed: ',
  'Summary of the talk: ',
  'Lesson: ',
  'Another observation: ',
  'For later: ',
  'The context says: ',
  'Once more: ',
  'What I learnt today: ',
  'Key point: ',
  'In short: ',
] as const

/** So many wordings of the lie, all different: those by hand first, then with openings before them. */
export function rewordings(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const wording = REWORDINGS[index % REWORDINGS.length] ?? ''
    const opener = OPENERS[Math.floor(index / REWORDINGS.length) % OPENERS.length] ?? ''
    return `${opener}${wording}`
  })
}
