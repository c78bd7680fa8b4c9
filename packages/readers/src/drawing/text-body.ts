/** Converts the paragraphs of a text box (DrawingML, ISO/IEC 29500-1, 21.1.2) into paragraphs and nested lists. */
import { element, elementWith, type HtmlContent } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { displayed, formulaElement } from '../html/html-formula.js';
import { NestedLists } from '../html/nested-lists.js';
import { officeFormulas } from '../formula/office-formula.js';
import type { Relationships } from '../archive/relationships.js';
import {
  attributeOf,
  childOf,
  childrenNamed,
  descendants,
  elementsOf,
  prefixedAttribute,
  textOf,
  type XmlElement,
} from '../xml/xml-tree.js';
import { type Bullet, levelOf, statedBullet } from './bullets.js';

/** `bullets` are the bullets of the text box, by level. */
export function textBlocks(
  body: XmlElement | null,
  bullets: readonly Bullet[],
  relationships: Relationships,
): HtmlElement[] {
  const blocks: HtmlElement[] = [];
  const lists = new NestedLists(blocks);
  for (const paragraph of childrenNamed(body, 'p')) {
    const properties = childOf(paragraph, 'pPr');
    const content = inlineContent(paragraph, relationships);
    if (content.length === 0) continue;
    const level = levelOf(properties);
    const bullet = statedBullet(properties) ?? bullets[level] ?? 'none';
    if (bullet === 'none') lists.block(element('p', displayed(content)));
    else lists.item({ kind: bullet === 'number' ? 'ol' : 'ul', level, start: startOf(properties), content });
  }
  return blocks;
}

function startOf(properties: XmlElement | null): string | null {
  return attributeOf(childOf(properties, 'buAutoNum'), 'startAt');
}

/** The text of all paragraphs on one line, without marks: a title. */
export function plainText(body: XmlElement | null): string {
  return plainParagraphs(body).join(' ').replace(/\s+/g, ' ').trim();
}

export const plainParagraphs = (body: XmlElement | null): string[] => childrenNamed(body, 'p').map(lineOf);

function lineOf(paragraph: XmlElement): string {
  return [...elementsOf(paragraph)]
    .map((part) => (part.local === 'br' ? ' ' : [...descendants(part, 't')].map(textOf).join('')))
    .join('');
}

/** Empty when the paragraph has no text. */
export function inlineContent(paragraph: XmlElement, relationships: Relationships): HtmlContent[] {
  const content: HtmlContent[] = [];
  let hasText = false;
  for (const part of elementsOf(paragraph)) {
    if (part.local === 'br') content.push(element('br'));
    else if (part.local === 'r' || part.local === 'fld') {
      const text = textOf(childOf(part, 't')).replaceAll('\v', ' ');
      if (text.trim() !== '') hasText = true;
      content.push(marked(text, childOf(part, 'rPr'), relationships));
    } else if (part.local !== 'pPr' && part.local !== 'endParaRPr') {
      const other = otherContent(part);
      if (other.some((one) => typeof one !== 'string' || one.trim() !== '')) hasText = true;
      content.push(...other);
    }
  }
  return hasText ? content : [];
}

/** Formulas and text. A file can hold several forms of them, and programs choose the one that they can show. */
function otherContent(part: XmlElement): HtmlContent[] {
  const chosen = part.local === 'AlternateContent' ? (childOf(part, 'Choice') ?? part) : part;
  const content: HtmlContent[] = [];
  for (const inner of chosen.local === 'oMath' || chosen.local === 'oMathPara' ? [chosen] : elementsOf(chosen)) {
    if (inner.local === 'oMath' || inner.local === 'oMathPara')
      content.push(...officeFormulas(inner).map((latex) => formulaElement(latex, inner.local === 'oMathPara')));
    else if (inner.local === 'm') content.push(...otherContent(inner));
    else content.push(inner.local === 't' ? textOf(inner) : [...descendants(inner, 't')].map(textOf).join(''));
  }
  return content;
}

function marked(text: string, properties: XmlElement | null, relationships: Relationships): HtmlContent {
  const isOn = (name: string): boolean => /^(?:1|true)$/.test(attributeOf(properties, name) ?? '');
  let content: HtmlContent = text;
  if (Number.parseInt(attributeOf(properties, 'baseline') ?? '', 10) > 0) content = element('sup', [content]);
  if (/^(?:sng|dbl)Strike$/.test(attributeOf(properties, 'strike') ?? '')) content = element('s', [content]);
  if (isOn('i')) content = element('em', [content]);
  if (isOn('b')) content = element('strong', [content]);
  const address = relationships.address(prefixedAttribute(childOf(properties, 'hlinkClick'), 'id'));
  return address === null ? content : elementWith('a', { href: address }, [content]);
}
