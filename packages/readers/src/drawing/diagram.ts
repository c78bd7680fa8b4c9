import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { childOf, descendants, type XmlElement } from '../xml/xml-tree.js';
import { plainText } from './text-body.js';

/** The texts of a diagram (SmartArt) as a list. */
export function diagramContent(data: XmlElement): HtmlElement[] {
  const items: HtmlElement[] = [];
  for (const point of descendants(data, 'pt')) {
    const text = plainText(childOf(point, 't'));
    if (text !== '') items.push(element('li', [text]));
  }
  return items.length === 0 ? [] : [element('ul', items)];
}
