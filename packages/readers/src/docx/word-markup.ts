/** Writes markup of a Word document, with the prefix that the document gives its elements. */
import { attribute, childrenOf, elementsOf, type HtmlElement } from '../html/html-node.js';
import type { XmlAttribute } from '../xml/xml-tokens.js';
import type { OpenTag } from './open-paragraph.js';
import { levelsOfList } from '../numbering/list.js';

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
export const bulletsId = '1';
export const numbersId = '2';
/** The style of a paragraph that continues a list item, without the depth of the item. */
export const continuedItem = 'ContinuedItem';

/** A part with two numberings: bullets, and numbers as markdown has them. */
export const plainNumbering = `<w:numbering xmlns:w="${namespace}">${plainList(bulletsId, 'bullet')}${plainList(numbersId, 'decimal')}${plainInstance(bulletsId)}${plainInstance(numbersId)}</w:numbering>`;

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

  listItem(numbering: string, depth: number): string {
    return this.element('numPr', this.property('ilvl', String(depth)) + this.property('numId', numbering));
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
        return this.element('p', this.element('pPr', this.listItem(bulletsId, 0)) + this.textRun(textIn(block)));
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

function plainList(id: string, format: string): string {
  const levels = Array.from(
    { length: levelsOfList },
    (_, level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`,
  );
  return `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`;
}

function plainInstance(id: string): string {
  return `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
}
