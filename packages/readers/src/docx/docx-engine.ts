import mammoth from 'mammoth';
import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine } from '../engine.js';
import { parseHtml } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { DocxParts } from './docx-parts.js';
import { placeEnclosed, readEnclosedFiles, withEnclosedPlaces } from './enclosed-files.js';
import { withFormulaPlaces } from './place-formulas.js';
import { placeItems, withItemPlaces } from './place-items.js';

/**
 * The styles of Word, Pages and Pandoc that are more than a paragraph. mammoth parses the rules for each document, so its own are not used. It
 * finds no lists: `place-items.ts` builds them.
 */
const styleMap = [
  ...[1, 2, 3, 4, 5, 6].map((level) => `p.Heading${level} => h${level}:fresh`),
  ...['Title', 'Heading'].map((name) => `p[style-name='${name}'] => h1:fresh`),
  "p[style-name='Subtitle'] => p > em:fresh",
  ...['Quote', 'Intense Quote', 'Block Text'].map((name) => `p[style-name='${name}'] => blockquote > p:fresh`),
  ...['HTML Preformatted', 'Source Code'].map((name) => `p[style-name='${name}'] => pre:separator('\\n')`),
  ...['Code', 'HTML Code', 'Verbatim Char'].map((name) => `r[style-name='${name}'] => code`),
  "r[style-name='Strong'] => strong",
  'u => ',
  'strike => s',
  'comment-reference => sup',
];
/** Links that mammoth adds from the end of a note or comment to its place in the text. */
const backLinks = / ?<a href="#(?:footnote|endnote|comment)-ref-[^"]*">↑<\/a>/g;

const checkbox = /(<p><a id="item-[^"]*"><\/a>)?<input type="checkbox"( checked="checked")? \/>/g;

/** The result has no pages: a docx has pages only after layout. */
export const extractDocx: Engine = async (input, signal) => {
  const { parts, enclosed } = await ZipArchive.read(input, 'docx', signal, async (archive) => {
    const opened = await DocxParts.read(archive, input);
    return { parts: opened, enclosed: await readEnclosedFiles(archive, opened.enclosed, input, signal) };
  });
  const { properties, formulas, firstPage } = parts;
  const html = [
    firstPage.header === null ? '' : await htmlOf(parts, firstPage.header),
    await htmlOf(parts, null),
    firstPage.footer === null ? '' : await htmlOf(parts, firstPage.footer),
  ].join('');
  const document = parseHtml(
    withEnclosedPlaces(withFormulaPlaces(withItemPlaces(withCheckboxes(html.replace(backLinks, ''))))),
    input.filename,
    placeItems,
  );
  placeEnclosed(document, enclosed);
  return {
    markdown: toMarkdown(formulas.place(document), input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: properties.title,
    author: properties.author,
    language: properties.language,
    details: properties.details,
  };
};

async function htmlOf(parts: DocxParts, part: string | null): Promise<string> {
  const { value } = await mammoth.convertToHtml(parts.forMammoth(part), {
    styleMap,
    includeDefaultStyleMap: false,
    // A document can contain any number of rules, which mammoth tries on each paragraph.
    includeEmbeddedStyleMap: false,
    externalFileAccess: false,
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
  });
  return value;
}

/** Markdown has checkboxes at the beginning of items only. Elsewhere, the character that Word shows is written. */
function withCheckboxes(html: string): string {
  return html.replace(checkbox, (whole: string, item?: string, checked?: string) =>
    item === undefined ? `${checked === undefined ? '☐' : '☒'} ` : whole,
  );
}
