import { useSyncExternalStore } from '../ui/external-store.ts'

const KEY = 'muniment.theme'
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

export const themeChosen = (): Theme => {
  const kept = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

/** What is shown: the choice, or what the system prefers. */
export const themeShown = (): 'light' | 'dark' => {
  const chosen = themeChosen()
  if (chosen !== 'system') return chosen
  return dark.matches ? 'dark' : 'light'
}

function apply(): void {
  document.documentElement.dataset.theme = themeShown()
  for (const listener of listeners) listener()
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  apply()
}

export function startTheme(): void {
  dark.addEventListener('change', apply)
  apply()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, themeShown)
export const useThemeChosen = (): Theme => useSyncExternalStore(subscribe, themeChosen)
