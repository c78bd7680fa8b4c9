/** Converts the shapes of a slide into blocks: the title first, the others in the order of the file, which is the reading order. */
import { chartContent, picture } from '../drawing/chart.js';
import { diagramContent } from '../drawing/diagram.js';
import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import type { Relationships } from '../archive/relationships.js';
import {
  attributeOf,
  childOf,
  descend,
  descendants,
  elementsOf,
  prefixedAttribute,
  type XmlElement,
} from '../xml/xml-tree.js';
import { type PlaceholderFrames, ToSlide } from './slide-frames.js';
import type { SlidePlaces } from './slide-places.js';
import { placeholderOf, type SlideTemplate } from './list-styles.js';
import { slideTable } from './slide-table.js';
import { plainText, textBlocks } from '../drawing/text-body.js';

export interface SlideParts {
  template: SlideTemplate;
  frames: PlaceholderFrames;
  /** Collects where the text stands. */
  places: SlidePlaces;
  relationships: Relationships;
  /** The parsed part of a relationship of the slide. Null if the file lacks the part, or if it was taken before. */
  part: (relationshipId: string | null) => Promise<XmlElement | null>;
}

/** Placeholders that repeat on each slide. */
const furniture = /^(?:dt|ftr|hdr|sldNum)$/;

export interface SlideContent {
  title: string;
  blocks: HtmlElement[];
}

export async function slideContent(slide: XmlElement, parts: SlideParts): Promise<SlideContent> {
  const tree = descend(slide, 'cSld', 'spTree');
  const found: SlideContent = { title: '', blocks: [] };
  if (tree !== null) await addShapes(tree, parts, found, new ToSlide());
  return found;
}

async function addShapes(group: XmlElement, parts: SlideParts, found: SlideContent, toSlide: ToSlide): Promise<void> {
  for (const shape of elementsOf(group)) {
    switch (shape.local) {
      case 'sp':
        addShape(shape, parts, found, toSlide);
        break;
      case 'pic':
        found.blocks.push(...description(shape, parts, toSlide));
        break;
      case 'grpSp':
        await addShapes(shape, parts, found, toSlide.within(shape));
        break;
      case 'graphicFrame':
        found.blocks.push(...(await frameContent(shape, parts, toSlide)));
        break;
      case 'AlternateContent':
        await addShapes(childOf(shape, 'Choice') ?? childOf(shape, 'Fallback') ?? shape, parts, found, toSlide);
        break;
    }
  }
}

function addShape(shape: XmlElement, parts: SlideParts, found: SlideContent, toSlide: ToSlide): void {
  const body = childOf(shape, 'txBody');
  const type = placeholderOf(shape)?.type ?? '';
  if (furniture.test(type)) return;
  parts.places.addBody(body, parts.frames.of(shape), toSlide);
  if (/^(?:title|ctrTitle)$/.test(type) && found.title === '') {
    found.title = plainText(body);
    return;
  }
  const blocks = textBlocks(body, parts.template.bulletsOf(shape), parts.relationships);
  found.blocks.push(...(blocks.length === 0 ? description(shape, parts, toSlide) : blocks));
}

async function frameContent(frame: XmlElement, parts: SlideParts, toSlide: ToSlide): Promise<HtmlElement[]> {
  const data = descend(frame, 'graphic', 'graphicData');
  const [content] = data === null ? [] : elementsOf(data);
  if (content === undefined) return [];
  if (content.local === 'tbl') {
    parts.places.addTable(content, parts.frames.of(frame), toSlide);
    return [slideTable(content, parts.relationships)];
  }
  if (content.local === 'chart') {
    const chart = await parts.part(prefixedAttribute(content, 'id'));
    return [...description(frame, parts, toSlide), ...(chart === null ? [] : chartContent(chart))];
  }
  if (content.local === 'relIds') {
    const data = await parts.part(prefixedAttribute(content, 'dm'));
    return [...description(frame, parts, toSlide), ...(data === null ? [] : diagramContent(data))];
  }
  return description(frame, parts, toSlide);
}

/** The alternative text of a shape. */
function description(shape: XmlElement, { frames, places }: SlideParts, toSlide: ToSlide): HtmlElement[] {
  for (const properties of elementsOf(shape)) {
    if (!/^nv\w*Pr$/.test(properties.local)) continue;
    const text = (attributeOf(childOf(properties, 'cNvPr'), 'descr') ?? '').trim();
    places.add(text, frames.of(shape), toSlide);
    return text === '' ? [] : [picture(text)];
  }
  return [];
}

/** The speaker notes of a notes slide, without the picture of the slide, its header and footer. */
export function notesContent(notes: XmlElement | null, relationships: Relationships): HtmlElement[] {
  const tree = descend(notes, 'cSld', 'spTree');
  if (tree === null) return [];
  const blocks: HtmlElement[] = [];
  for (const shape of descendants(tree, 'sp'))
    if (placeholderOf(shape)?.type === 'body') blocks.push(...textBlocks(childOf(shape, 'txBody'), [], relationships));
  return blocks.length === 0 ? [] : [element('blockquote', [element('p', [element('strong', ['Notes'])]), ...blocks])];
}
