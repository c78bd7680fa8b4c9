// Files as resources: their markdown, from the beginning up to a limit.
import { filesOperations, idSchema, notFound } from '@kiln/contracts';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { holdsScope, spaceFor } from '../auth/caller.domain.js';
import { FILE_URI, fileUri } from './file-links.domain.js';
import { bytesOfTokens, inlineText, TOKENS_MAX, visibleText } from './tool-text.domain.js';
import type { ToolCall } from './tool.port.js';
import { readVariantRange } from './variant-range.service.js';

const LISTED_MAX = 50;

/** Lists the newest files only: `list_files` has the others. */
export function registerFileResources(server: McpServer, call: ToolCall): void {
  if (call.caller.authType !== 'portal_token' && !holdsScope(call.caller, 'files:read')) return;
  const list = () => listNewest(call);
  const about = { title: 'File', description: 'The markdown of a file.', mimeType: 'text/markdown' };
  server.registerResource('file', new ResourceTemplate(FILE_URI, { list }), about, async (uri, { file_id }) => {
    const text = await readMarkdown(String(file_id), call);
    return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] };
  });
}

async function listNewest({ caller, context, services }: ToolCall) {
  const query = filesOperations.listFiles.input.parse({ limit: LISTED_MAX, ...spaceFor(caller, undefined) });
  const { files } = await services.rpc.call(filesOperations.listFiles, query, context);
  const resources = files.map(({ id, filename }) => ({
    uri: fileUri(id),
    name: inlineText(filename),
    mimeType: 'text/markdown',
  }));
  return { resources };
}

async function readMarkdown(given: string, { caller, context, services }: ToolCall): Promise<string> {
  const id = idSchema('file').safeParse(given);
  if (!id.success) throw notFound();
  await services.rpc.call(filesOperations.getFile, { id: id.data, ...spaceFor(caller, undefined) }, context);
  const asked = { file_id: id.data, variant: 'markdown', offset: 0, bytesMax: bytesOfTokens(TOKENS_MAX) } as const;
  const { text, nextOffset } = await readVariantRange(asked, context, services);
  const rest = nextOffset === null ? '' : `\n\n[truncated: read_file continues at offset ${nextOffset}]`;
  return `${visibleText(text)}${rest}`;
}
