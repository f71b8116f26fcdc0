import { useSyncExternalStore } from '../ui/external-store.ts'

/** Where the page is: `/stack/page/rest?query`. */
export interface Place {
  readonly stack: string
  readonly page: string
  readonly rest: string
  readonly query: URLSearchParams
}

const listeners = new Set<() => void>()
const tell = (): void => {
  for (const listener of listeners) listener()
}
globalThis.addEventListener('popstate', tell)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // a lone % that somebody typed
  }
}

let known: { readonly href: string; readonly place: Place } | null = null

function placeNow(): Place {
  const { href, pathname, search } = location
  if (known?.href === href) return known.place
  const [, stack = '', page = '', ...rest] = pathname.split('/').map(decoded)
  const place = {
    stack,
    page: page || 'overview',
    rest: rest.join('/'),
    query: new URLSearchParams(search),
  }
  known = { href, place }
  return place
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePlace = (): Place => useSyncExternalStore(subscribe, placeNow)

type Query = Readonly<Record<string, string | number | null | undefined>>

/** The address of a page. A moment of the past that one looks at goes along to every page. */
export function hrefOf(stack: string, page: string, rest = '', query: Query = {}): string {
  const asOf = placeNow().query.get('asof')
  const all = Object.entries({ asof: asOf, ...query }).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const path = [stack, page, ...(rest === '' ? [] : rest.split('/'))]
    .map((part) => encodeURIComponent(part).replaceAll('%3A', ':'))
    .join('/')
  const search = new URLSearchParams(all).toString()
  return `/${path}${search === '' ? '' : `?${search}`}`
}

interface Going {
  /** Without a step to come back to: while somebody types. */
  readonly replace?: boolean
}

export function go(href: string, { replace = false }: Going = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  tell()
}

/** Changes some of the query and stays on the page. */
export function goQuery(changes: Query, going: Going = { replace: true }): void {
  const { query } = placeNow()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') next.delete(name)
    else next.set(name, String(value))
  }
  const search = next.toString()
  go(`${location.pathname}${search === '' ? '' : `?${search}`}`, going)
}
