/** Writes markup of a Word document, with the prefix that the document gives its elements. */
import { attribute, childrenOf, elementsOf, type HtmlElement } from '../html/html-node.js';
import type { XmlAttribute } from '../xml/xml-tokens.js';
import type { OpenTag } from './open-paragraph.js';
import { childOf, childrenNamed, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';
import { itemBookmark } from './place-items.js';

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** A part with the types, ids and names of styles. mammoth parses the whole part, and reads no more of it. */
export function namesOfStyles(styles: XmlElement | null): string {
  const list = childrenNamed(styles, 'style').map((style) => {
    const of = (element: XmlElement | null, name: string): string => escapeXml(prefixedAttribute(element, name) ?? '');
    const name = childOf(style, 'name');
    const child = name === null ? '' : `<w:name w:val="${of(name, 'val')}"/>`;
    return `<w:style w:type="${of(style, 'type')}" w:styleId="${of(style, 'styleId')}">${child}</w:style>`;
  });
  return `<w:styles xmlns:w="${namespace}">${list.join('')}</w:styles>`;
}

/** The relationships of a file whose document is `part`. */
export function relationshipToMain(part: string): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="main" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${escapeXml(`/${part}`)}"/></Relationships>`;
}

export class WordMarkup {
  /** `prefix` ends with a colon. */
  constructor(private readonly prefix: string) {}

  element(local: string, content: string): string {
    return `<${this.prefix}${local}>${content}</${this.prefix}${local}>`;
  }

  property(local: string, value: string): string {
    return `<${this.prefix}${local} ${this.prefix}val="${escapeXml(value)}"/>`;
  }

  textRun(text: string): string {
    return this.element('r', `<${this.prefix}t xml:space="preserve">${escapeXml(text)}</${this.prefix}t>`);
  }

  bookmark(name: string): string {
    return `<${this.prefix}bookmarkStart ${this.prefix}name="${escapeXml(name)}"/>`;
  }

  /** Paragraphs, tables of plain text, and a list of plain text. */
  blocks(blocks: readonly HtmlElement[]): string {
    return blocks.map((block) => this.block(block)).join('');
  }

  private block(block: HtmlElement): string {
    const inner = (): string => this.blocks([...elementsOf(block)]);
    switch (block.name) {
      case 'table':
        return this.element('tbl', inner());
      case 'tr':
        return this.element('tr', inner());
      case 'td':
        return this.element('tc', this.element('p', this.textRun(textIn(block))));
      case 'ul':
        return inner();
      case 'li':
        return this.element('p', this.bookmark(itemBookmark(0, 'bullet')) + this.textRun(textIn(block)));
      default:
        return this.element('p', this.textRun(textIn(block)));
    }
  }
}

/** The tag with the attributes for which `keep` returns true. */
export function withAttributes(tag: OpenTag, keep: (attribute: XmlAttribute) => boolean): string {
  const attributes = tag.attributes.filter(keep).map(({ name, value }) => {
    const quote = value.includes('"') ? "'" : '"';
    return ` ${name}=${quote}${value}${quote}`;
  });
  return `<${tag.name}${attributes.join('')}${tag.isEmpty ? '/' : ''}>`;
}

function textIn(element: HtmlElement): string {
  let text = attribute(element, 'alt') ?? '';
  for (const child of childrenOf(element)) text += child.kind === 'text' ? child.text : textIn(child);
  return text;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
