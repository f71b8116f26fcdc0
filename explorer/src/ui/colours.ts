import { KINDS } from '../../../src/domain/ids.ts'

const COLOURS = 8

const place = (kind: string): number =>
  Math.max(0, (KINDS as readonly string[]).indexOf(kind)) % COLOURS

/** One colour a kind, the same on every page. */
export const kindColour = (kind: string): string => `var(--c${place(kind) + 1})`

/** The same as a number, for what is drawn on a canvas and knows no custom properties. */
export const resolved = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export const kindVariable = (kind: string): string => `--c${place(kind) + 1}`
