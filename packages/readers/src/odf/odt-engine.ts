import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine } from '../engine.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { firstPageOf } from './first-page.js';
import { blocksOf } from './odf-blocks.js';
import { readMeta } from './odf-package.js';
import { openOdf } from './odf-reader.js';

/** The result has no pages: a text has pages only after layout. */
export const extractOdt: Engine = (input, signal) =>
  ZipArchive.read(input, 'odt', signal, async (archive) => {
    const { content, context } = await openOdf(archive, 'odt', input);
    const meta = await readMeta(archive, input);
    const { header, footer } = firstPageOf(content, context.styles, meta.details['stated_page_count'] === 1);
    const blocks = [header, content, footer].flatMap((part) => (part === null ? [] : blocksOf(part, context)));
    const document = documentOf([...blocks, ...context.notes.take()], input.filename);
    return {
      markdown: toMarkdown(document, input.filename, input.limits.outputBytesMax),
      pages: null,
      pageCount: null,
      ...meta,
    };
  });
