import { expect, test } from 'vitest'
import type { Ref } from './ids.ts'
import { label } from './labels.ts'
import { computedProvenance, PROVENANCE_FIELDS, type Provenance } from './provenance.ts'

const certificate = (over: Partial<Provenance>): Provenance =>
  ({ label: label.modelDerived(), sourceType: 'inference', derivedFrom: [], ...over }) as Provenance // what is read

test('parent, source and depth are computed from the certificate', () => {
  const parents = ['note:01980000-0000-7000-8000-000000000001', 'raw:x'] as Ref[]
  const computed = computedProvenance(certificate({ derivedFrom: parents, depthNearest: 2 }))
  expect(computed).toEqual({
    source: 'llm_generation',
    parentId: '01980000-0000-7000-8000-000000000001',
    derivationDepth: 2,
  })
  expect(computedProvenance(certificate({})).parentId).toBeNull()
})

test('a certificate has these fields and no others, each once', () => {
  expect([...PROVENANCE_FIELDS].sort().join(' ')).toBe(
    'captured confidence contentHash depthFarthest depthNearest derivedFrom document eventTime ' +
      'ingestionPath label llmModel policyHash quote relayed session sourceEntity sourceEpisodes ' +
      'sourceId sourceType timestamp trustTier turn',
  )
})
