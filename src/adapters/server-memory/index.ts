export type { Entity, KnowledgeGraph, Relation } from './graph.ts'
export { StackGraph } from './graph.ts'
export { KnowledgeGraphManager } from './manager.ts'
