import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine } from '../engine.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { PagedText } from '@kiln/pdf/markdown/paged-text';
import { childrenNamed, elementsOf, type XmlElement } from '../xml/xml-tree.js';
import { blocksOf } from './odf-blocks.js';
import type { OdfContext } from './odf-context.js';
import { lineOf, readMeta } from './odf-package.js';
import { openOdf } from './odf-reader.js';
import { shapeBlocks } from './odf-shapes.js';

/** One page per slide. Hidden slides are marked. */
export const extractOdp: Engine = (input, signal) =>
  ZipArchive.read(input, 'odp', signal, async (archive) => {
    const { content, context } = await openOdf(archive, 'odp', input);
    const text = new PagedText();
    const hidden: number[] = [];
    const slides = childrenNamed(content, 'page');
    for (const [index, slide] of slides.entries()) {
      const isHidden = isHiddenSlide(slide, context);
      if (isHidden) hidden.push(index + 1);
      const document = documentOf(slideBlocks(slide, isHidden, context), input.filename);
      const { filename, limits } = input;
      text.add(index + 1, toMarkdown(document, filename, limits.outputBytesMax, text.characters).trimEnd());
    }
    const meta = await readMeta(archive, input);
    return {
      markdown: text.markdown,
      pages: text.pages,
      pageCount: slides.length,
      ...meta,
      details: { ...meta.details, ...(hidden.length === 0 ? {} : { hidden_slides: hidden }) },
    };
  });

function isHiddenSlide(slide: XmlElement, { styles }: OdfContext): boolean {
  const style = slide.attributes.get('draw:style-name');
  return styles.property('drawing-page', style, 'presentation:visibility') === 'hidden';
}

function slideBlocks(slide: XmlElement, isHidden: boolean, context: OdfContext): HtmlElement[] {
  let title = nameOf(slide);
  let hasTitle = false;
  const blocks: HtmlElement[] = [];
  let notes: HtmlElement[] = [];
  for (const shape of elementsOf(slide)) {
    if (shape.local === 'notes') notes = notesBlocks(shape, context);
    else if (shape.attributes.get('presentation:class') === 'title' && !hasTitle && lineOf(shape) !== '') {
      title = lineOf(shape);
      hasTitle = true;
    } else if (shape.local === 'annotation') context.notes.addComment(shape, context);
    else blocks.push(...shapeBlocks(shape, context));
  }
  return [
    ...(title === '' ? [] : [element('h1', [title])]),
    ...(isHidden ? [element('p', [element('em', ['Hidden slide'])])] : []),
    ...blocks,
    ...context.notes.take(),
    ...notes,
  ];
}

/** The name that the author gave a slide without a title. Programs number the others: `page3`, `Slide 3`. */
function nameOf(slide: XmlElement): string {
  const name = (slide.attributes.get('draw:name') ?? '').trim();
  return /^\S{0,20}\s?\d+$/u.test(name) ? '' : name;
}

function notesBlocks(notes: XmlElement, context: OdfContext): HtmlElement[] {
  const blocks = [...elementsOf(notes)]
    .filter((shape) => shape.attributes.get('presentation:class') === 'notes')
    .flatMap((shape) => blocksOf(shape, context));
  return blocks.length === 0 ? [] : [element('blockquote', [element('p', [element('strong', ['Notes'])]), ...blocks])];
}
