import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine } from '../engine.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { childOf } from '../xml/xml-tree.js';
import { blocksOf } from './odf-blocks.js';
import { assertNotEncrypted, readContent, readMeta, readStyles } from './odf-package.js';
import { readerOf } from './odf-reader.js';

/** The result has no pages: a text has pages only after layout. */
export const extractOdt: Engine = (input, signal) =>
  ZipArchive.read(input, 'odt', signal, async (archive) => {
    await assertNotEncrypted(archive, input);
    const styles = await readStyles(archive, input);
    const { root, content } = await readContent(archive, 'odt', input);
    styles.add(childOf(root, 'automatic-styles'));
    const context = await readerOf(archive, styles, input);
    const blocks = blocksOf(content, context);
    const document = documentOf([...blocks, ...context.notes.take()], input.filename);
    return {
      markdown: toMarkdown(document, input.filename, input.limits.outputBytesMax),
      pages: null,
      pageCount: null,
      ...(await readMeta(archive, input)),
    };
  });
