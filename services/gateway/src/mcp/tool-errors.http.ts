// Reports a failed call to the model, which can correct its input. Unknown errors show their request id only.
import type { Logger } from '@kiln/platform';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { codedErrorOf } from '../http/errors.middleware.js';
import { visibleText } from './tool-text.domain.js';

export function toolError(thrown: unknown, tool: string, requestId: string, logger: Logger): CallToolResult {
  const error = codedErrorOf(thrown);
  if (error.status >= 500) logger.error({ err: error, requestId, tool }, 'Tool failed');
  const text = `${error.publicCode}: ${visibleText(error.message)} (request ${requestId})`;
  return { content: [{ type: 'text', text }], isError: true };
}
