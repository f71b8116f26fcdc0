import { expect, test } from 'vitest'
import { staticEmbedder } from '../../src/compose/static-embedder.ts'

test.each([
  ['Where does Anna keep the spare keys of the garden shed?', true],
  ['Wo bewahrt Anna die Ersatzschlüssel für den Gartenschuppen auf?', false],
  ['Welche Mannschaft gewann das Finale der Meisterschaft im Jahr 2015?', false],
  ['¿Dónde guarda Anna las llaves de repuesto del cobertizo?', false],
  ['Где Анна хранит запасные ключи от сарая?', false],
  ['安娜把花园棚屋的备用钥匙放在哪里', false],
  ['Kubernets', true], // a misspelt name is found by its spelling
  ['Kvarkmeister 9', true],
  ['', true],
])('a sentence in an unknown language is not understood: %s', (text, understood) => {
  expect(staticEmbedder().understands(text)).toBe(understood)
})
