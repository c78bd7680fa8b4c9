/**
 * Files that a Word document shows as a part of its text (`altChunk`, ISO/IEC 29500-1, 17.17.2): pages, archives of pages, other documents.
 * Programs that make documents of pages or join documents write them, and Word converts them when it saves the document.
 */
import { posix } from 'node:path';
import { typeOfExtension } from '@kiln/file-types/file-extensions';
import type { ZipArchive } from '../archive/zip-archive.js';
import type { EngineInput } from '../engine.js';
import { elementWith } from '../html/build-html.js';
import type { HtmlDocument } from '../html/html-document.js';
import { markdownName } from '../html/html-markdown.js';
import { attribute, childrenOf, link, unlink } from '../html/html-node.js';
import { readAttachedFiles } from '../mail/attached-files.js';

const bookmark = /<a id="enclosed-(\d+)"><\/a>/g;
const place = 'kiln-enclosed';

/** The markdown of each part, or the reason why it has none. */
export async function readEnclosedFiles(
  archive: ZipArchive,
  parts: readonly string[],
  input: EngineInput,
  signal: AbortSignal,
): Promise<string[]> {
  const found = [];
  for (const part of parts) {
    const filename = posix.basename(part);
    // An archive of a page has the format of an e-mail (RFC 2557).
    const contentType = /\.mht(?:ml)?$/i.test(part) ? 'message/rfc822' : (typeOfExtension(part) ?? 'text/plain');
    found.push({ filename, contentType, content: (await archive.bytes(part)) ?? new Uint8Array() });
  }
  const files = await readAttachedFiles(found, input, signal, () => {
    throw new TypeError('a file within a document is no message');
  });
  return files.map(({ filename, description, markdown }) => markdown ?? `${filename} (${description})`);
}

/** `html` is the output of mammoth, which keeps the names of bookmarks. */
export function withEnclosedPlaces(html: string): string {
  return html.replace(bookmark, `<${place} value="$1"></${place}>`);
}

/** Puts the markdown of each file in its place. */
export function placeEnclosed({ body }: HtmlDocument, files: readonly string[]): void {
  if (body === null || files.length === 0) return;
  const paragraphs = [...childrenOf(body)];
  for (const paragraph of paragraphs) {
    const inner = paragraph.kind === 'element' ? paragraph.first : null;
    if (inner?.kind !== 'element' || inner.name !== place) continue;
    const text = files[Number(attribute(inner, 'value'))] ?? '';
    link(elementWith(markdownName, { text }), body, paragraph);
    unlink(paragraph);
  }
}
