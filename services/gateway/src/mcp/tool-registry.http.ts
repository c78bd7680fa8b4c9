// All tools, and those of a caller.
import { holdsScope, type Caller } from '../auth/caller.domain.js';
import type { Tool } from './tool.port.js';
import { listFilesTool } from './tools/files/list-files.tool.js';
import { readChunksTool } from './tools/files/read-chunks.tool.js';
import { readFileTool } from './tools/files/read-file.tool.js';
import { uploadTextTool } from './tools/files/upload-text.tool.js';
import { followJobTool } from './tools/jobs/follow-job.tool.js';
import { askQuestionTool } from './tools/search/ask-question.tool.js';
import { searchFilesTool } from './tools/search/search-files.tool.js';

export const tools: readonly Tool[] = [
  searchFilesTool,
  askQuestionTool,
  listFilesTool,
  readFileTool,
  readChunksTool,
  uploadTextTool,
  followJobTool,
];

/** A tool that the credentials do not allow is not listed, so that a model does not try it. */
export const toolsFor = (caller: Caller): Tool[] => tools.filter((tool) => allows(caller, tool));

function allows(caller: Caller, { scope, isForPortals }: Tool): boolean {
  return caller.authType === 'portal_token' ? isForPortals : holdsScope(caller, scope);
}
