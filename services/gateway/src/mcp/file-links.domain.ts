// Names files as resources of the MCP server.
import type { ResourceLink } from '@modelcontextprotocol/server';
import { inlineText } from './tool-text.domain.js';

export const FILE_URI = 'kiln://files/{file_id}';

export const fileUri = (fileId: string): string => FILE_URI.replace('{file_id}', fileId);

/** One link for each file, in the order of their first mention. */
export function fileLinks(files: readonly { file_id: string; filename?: string | undefined }[]): ResourceLink[] {
  const names = new Map<string, string>();
  for (const { file_id, filename } of files) {
    if (!names.has(file_id)) names.set(file_id, inlineText(filename ?? file_id));
  }
  return [...names].map(([fileId, name]) => ({
    type: 'resource_link',
    uri: fileUri(fileId),
    name,
    mimeType: 'text/markdown',
  }));
}
