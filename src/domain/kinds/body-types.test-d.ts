import { describe, expectTypeOf, it } from 'vitest'
import type { MemoryId, Ref } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { type BodyInputOf, type BodyOf, parseBody } from './table.ts'

describe('BodyOf', () => {
  it('has every default and nothing to change in place', () => {
    type Episode = BodyOf<'episode'>
    expectTypeOf<Episode['lessons']>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<Episode['emotionalValence']>().toEqualTypeOf<number>()
    expectTypeOf<Pick<Episode, 'outcomeType' | 'context' | 'tags' | 'epochId'>>().toEqualTypeOf<{
      readonly outcomeType?: 'success' | 'failure' | 'partial' | 'unknown'
      readonly context?: string
      readonly tags?: readonly string[]
      readonly epochId?: MemoryId
    }>()
  })

  it('carries parsed names, not strings that look like them', () => {
    expectTypeOf<BodyOf<'summary'>['covers']>().toEqualTypeOf<readonly Ref[]>()
    expectTypeOf<BodyOf<'summary'>['periodStart']>().toEqualTypeOf<Instant>()
    expectTypeOf<BodyOf<'epoch'>['keyGoalIds']>().toEqualTypeOf<readonly MemoryId[]>()
  })

  it('keeps JSON as JSON', () => {
    expectTypeOf<BodyOf<'claim'>['value']>().toEqualTypeOf<JsonValue>()
    expectTypeOf<BodyOf<'suggestion'>['content']>().toEqualTypeOf<JsonObject>()
    expectTypeOf<BodyOf<'assessment'>['dimensions']>().toEqualTypeOf<{
      readonly [name: string]: { readonly score: number }
    }>()
  })

  it('is what parseBody gives', () => {
    expectTypeOf(parseBody<'note'>).returns.toEqualTypeOf<BodyOf<'note'>>()
    // @ts-expect-error a note has no objective
    parseBody('note', { content: 'x' }).objective
  })

  it('may be given again', () => {
    expectTypeOf<BodyOf<'claim'>>().toExtend<BodyInputOf<'claim'>>()
    expectTypeOf<BodyOf<'playbook'>>().toExtend<BodyInputOf<'playbook'>>()
  })
})

describe('BodyInputOf', () => {
  it('asks only for what has no default', () => {
    expectTypeOf<{ content: string }>().toExtend<BodyInputOf<'note'>>()
    expectTypeOf<{ noteType: 'note' }>().not.toExtend<BodyInputOf<'note'>>()
    expectTypeOf<{ content: string; noteType: 'memo' }>().not.toExtend<BodyInputOf<'note'>>()
  })

  it('takes undefined, readonly lists and plain strings', () => {
    expectTypeOf<{
      content: string
      speaker: string | undefined
      tags: readonly string[] | undefined
      epochId: string
    }>().toExtend<BodyInputOf<'note'>>()
    expectTypeOf<{ content: undefined }>().not.toExtend<BodyInputOf<'note'>>()
  })
})
