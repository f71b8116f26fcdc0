/** One thing that a person does, in words of the page: how it is done, and when it is done. */
export interface Interaction {
  readonly name: string
  /** Statements that do it; `turn` counts, so that no two ask the same. */
  readonly act: string
  /** True in the first frame that shows all of it. */
  readonly isDone: string
  /** How often in a row. */
  readonly times: number
}

/** Everything that the page asked for is on it. */
export const IS_SETTLED = `document.querySelector('main h1') !== null
  && !document.querySelector('main').textContent.includes('Looking …')`

const goTo = (title: string, shows: string): Interaction => ({
  name: `opening ${title}`,
  act: `[...document.querySelectorAll('.nav a')].find((a) => a.textContent.startsWith('${title}')).click()`,
  isDone: `document.querySelector('main h1')?.textContent === '${title}'
    && ${IS_SETTLED} && document.querySelector('${shows}') !== null`,
  times: 1,
})

/** Sets a field as typing would. */
const typed = (selector: string, value: string): string => `
  const field = document.querySelector('${selector}')
  field.value = ${value}
  field.dispatchEvent(new Event('input', { bubbles: true }))`

const WORDS = `['bade', 'migration lock', 'fidega', 'gololu', 'release', 'who owns orders', 'mane pibaro']`

/** A walk through every page; what one step leaves on it the next one works with. */
export const INTERACTIONS: readonly Interaction[] = [
  goTo('Search', '#q'),
  {
    name: 'searching as one types',
    act: `const wanted = ${WORDS}[turn % 7] + ' ' + turn;${typed('#q', 'wanted')}`,
    isDone: `document.querySelector('#q').value === wanted
      && document.querySelector('main [role=status]')?.textContent.endsWith('…') === false
      && ${IS_SETTLED}`,
    times: 6,
  },
  {
    name: 'narrowing a search to a kind',
    act: `const chip = document.querySelectorAll('.filters .chip')[turn % 6]; const was = location.search; chip.click()`,
    isDone: `location.search !== was && document.querySelector('main [role=status]')?.textContent.endsWith('…') === false
      && ${IS_SETTLED}`,
    times: 6,
  },
  goTo('Browse', '.table-box td.words'),
  {
    name: 'scrolling the table of memories',
    act: `const box = document.querySelector('.table-box'); box.scrollTop = box.scrollHeight - 400
      const count = document.querySelector('main [role=status]').textContent`,
    isDone: `${IS_SETTLED} && document.querySelector('main [role=status]').textContent !== count
      && document.querySelector('main [role=status] span').textContent.endsWith('.')`,
    times: 4,
  },
  {
    name: 'narrowing the table to a kind',
    act: `const field = document.querySelectorAll('.filters select')[0]; const was = location.search
      field.value = ['', 'belief', 'claim', 'episode'][turn % 4] === field.value ? 'note' : ['', 'belief', 'claim', 'episode'][turn % 4]
      field.dispatchEvent(new Event('change', { bubbles: true }))`,
    isDone: `location.search !== was && document.querySelector('.table-box td.words') !== null
      && document.querySelector('main [role=status] span').textContent.endsWith('.')`,
    times: 4,
  },
  goTo('Overview', '#card-learnt-lately ~ .list li, .list li'),
  {
    name: 'opening a memory',
    act: `const links = document.querySelectorAll('.list li a'); links[turn % links.length].click()`,
    isDone: `${IS_SETTLED} && document.querySelector('.words-card') !== null`,
    times: 1,
  },
  goTo('Review', '.item'),
  {
    name: 'the next of the queue',
    act: `const was = document.querySelector('.item .words').textContent
      const first = document.querySelectorAll('.queue-item')
      const at = [...first].findIndex((each) => each.getAttribute('aria-current') === 'true')
      dispatchEvent(new KeyboardEvent('keydown', { key: at === first.length - 1 ? 'k' : 'j', bubbles: true }))`,
    isDone: `document.querySelector('.item .words').textContent !== was`,
    times: 4,
  },
  goTo('Claims', '.queue-item'),
  {
    name: 'choosing a claim',
    act: `const claims = document.querySelectorAll('.queue-list .queue-item')
      const claim = claims[(turn * 7) % claims.length]; claim.click()`,
    isDone: `claim.getAttribute('aria-current') === 'true' && ${IS_SETTLED}
      && document.querySelector('.timeline-chart') !== null`,
    times: 4,
  },
  {
    name: 'looking for a claim as one types',
    act: `const wanted = 'service ' + (turn * 37 % 390 + 100);${typed('.review input[type=search]', 'wanted')}`,
    isDone: `${IS_SETTLED} && document.querySelector('.queue-list .stale') === null
      && document.querySelector('.queue-list .queue-item strong')?.textContent === wanted`,
    times: 4,
  },
  goTo('Ledger', '.entry-row .op'),
  {
    name: 'scrolling the ledger far away',
    act: `const box = document.querySelector('.virtual')
      box.scrollTop = ((turn * 7919) % 100) / 100 * box.scrollHeight`,
    isDone: `(() => {
      const { top, bottom } = box.getBoundingClientRect()
      const seen = [...box.querySelectorAll('li')].filter((li) => {
        const at = li.getBoundingClientRect()
        return at.bottom > top && at.top < bottom
      })
      return seen.length > 3 && seen.every((li) => li.querySelector('.op') !== null)
    })()`,
    times: 6,
  },
  {
    name: 'opening an entry',
    act: `const row = document.querySelectorAll('button.entry-row')[turn % 9]; row.click()`,
    isDone: `row.getAttribute('aria-pressed') === 'true' && ${IS_SETTLED}`,
    times: 3,
  },
  goTo('Time', '.moment'),
  {
    name: 'moving in time',
    act: `const head = Number(document.querySelector('.moment input[type=range]').max)
      const to = head - (turn % 50) - 1;${typed('.moment:last-of-type input[type=range]', 'String(to)')}`,
    isDone: `${IS_SETTLED}
      && document.querySelector('.cards.thirds') !== null && document.querySelector('.stale') === null`,
    times: 4,
  },
  goTo('Distrust', 'form'),
  {
    name: 'what would change without an actor',
    act: `${typed('form input[type=text]', "'team ' + turn")}
      requestAnimationFrame(() => document.querySelector('form button[type=submit]').click())`,
    isDone: `new URLSearchParams(location.search).get('actor') === 'team ' + turn && ${IS_SETTLED}`,
    times: 2,
  },
  goTo('Overview', '.tiles .figure'),
]
