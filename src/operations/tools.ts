import type { Tool, Toolset } from './tool.ts'
import { askTool, historyTool } from './tools/ask.ts'
import { claimTool } from './tools/claim.ts'
import { lineageTool } from './tools/lineage.ts'
import { operationTools } from './tools/operation.ts'
import { reviewTool, uncertainTool } from './tools/review.ts'
import { loadTool, searchTool } from './tools/search.ts'
import { forgetTool, verifyTool } from './tools/verify.ts'
import { writeTools } from './tools/write.ts'

/** In the order in which clients list them. */
const DEFAULT_TOOLS: readonly Tool[] = [
  ...writeTools,
  claimTool,
  searchTool,
  loadTool,
  askTool,
  historyTool,
  lineageTool,
  verifyTool,
  forgetTool,
  uncertainTool,
  reviewTool,
]

/** The full set holds the default one. */
export const toolsOf = (toolset: Toolset): readonly Tool[] =>
  toolset === 'full' ? [...DEFAULT_TOOLS, ...operationTools()] : DEFAULT_TOOLS
