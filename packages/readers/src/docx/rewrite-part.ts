/**
 * Rewrites a part of a Word document so that mammoth finds all of it. mammoth knows neither outline levels, nor the numbering of a
 * style, nor what number an item has, nor charts, diagrams and formulas. In the result
 * - each heading has the style `Heading1` to `Heading6`, and its number is text,
 * - each list item begins with a bookmark of `place-items.ts`,
 * - a label that markdown does not have (`1.2`, `(a)`) is text,
 * - charts and diagrams follow their paragraph as tables and lists, and a bookmark has the number of a formula or of an enclosed file,
 * - text of which mammoth does not know the element is read as other text (`unknown-markup.ts`).
 */
import type { HtmlElement } from '../html/html-node.js';
import { type XmlAttribute, xmlTokens } from '../xml/xml-tokens.js';
import { localName, parseXml } from '../xml/xml-tree.js';
import { ListCounters, plainNumber } from '../numbering/list-counters.js';
import { levelsOfList, type List } from '../numbering/list.js';
import type { ListDefinitions } from './list-definitions.js';
import { OpenParagraph, type OpenTag, type Place } from './open-paragraph.js';
import type { ParagraphStyles } from './paragraph-styles.js';
import { itemBookmark } from './place-items.js';
import type { PlacedFormulas } from './place-formulas.js';
import { replaceUnknown } from './unknown-markup.js';
import { withAttributes, WordMarkup } from './word-markup.js';
import { XmlEdits } from './xml-edits.js';

const headingLevelMax = 6;
/** A longer paragraph with an outline level is a clause, not its heading. */
const headingCharactersMax = 250;
/** mammoth leaves these out: deleted text, text of which another form follows, and how a word is read. */
const unread = new Set(['del', 'moveFrom', 'Choice', 'rt']);
/** Bullets that say something. */
const checkboxes = new Set(['☐', '☑', '☒']);
const formulas = new Set(['oMathPara', 'oMath']);

export interface PartContext {
  filename: string;
  styles: ParagraphStyles;
  lists: ListDefinitions;
  /** All formulas of the document are collected here. */
  formulas: PlacedFormulas;
  /** The blocks of a chart or diagram, by the id with which the part refers to it. */
  drawing: (relationshipId: string) => readonly HtmlElement[];
  hasRelationship: (id: string) => boolean;
  /** Takes a file that the part shows in place of an `altChunk`. Returns the number of its place, or null. */
  enclosed: (relationshipId: string) => number | null;
}

export function rewritePart(xml: string, context: PartContext): string {
  return new PartRewriter(xml, context).rewrite();
}

class PartRewriter {
  private readonly around: string[] = [];
  private readonly paragraphs: OpenParagraph[] = [];
  private readonly counters = new ListCounters();
  private readonly edits = new XmlEdits();
  /** The number of skipped elements around the current place. */
  private unreadDepth = 0;
  private paragraphName = '';
  private markup = new WordMarkup('');
  /** The formula around the current place. */
  private formula: { start: number; depth: number } | null = null;

  constructor(
    private readonly xml: string,
    private readonly context: PartContext,
  ) {}

  rewrite(): string {
    for (const token of xmlTokens(this.xml)) {
      if (token.kind !== 'text') replaceUnknown(token, this.edits);
      if (token.kind === 'text') this.text(token.text);
      else if (token.kind === 'open') this.open(token);
      else this.close(localName(token.name), token);
    }
    return this.edits.apply(this.xml);
  }

  private text(text: string): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph !== undefined && this.unreadDepth === 0 && this.around.at(-1) === 't')
      paragraph.characters += text.trim().length;
  }

  private open(tag: OpenTag): void {
    const local = localName(tag.name);
    if (this.around.length === 0) this.begin(tag.name);
    const paragraph = this.paragraphs.at(-1);
    if (this.unreadDepth === 0) paragraph?.open(local, tag);
    // A new chart stands only in a `Choice`, which is otherwise skipped.
    paragraph?.drawing(local, tag);
    if (local === 'altChunk') this.enclose(tag);
    if (local === 'blip' || local === 'imagedata' || local === 'hyperlink') this.checkReference(tag);
    if (tag.isEmpty) return;
    this.around.push(local);
    if (unread.has(local)) this.unreadDepth++;
    if (this.unreadDepth > 0) return;
    if (formulas.has(local)) this.formula ??= { start: tag.start, depth: this.around.length };
    if (tag.name === this.paragraphName) this.paragraphs.push(new OpenParagraph(tag, this.around));
  }

  private enclose(tag: OpenTag): void {
    const id = tag.attributes.find(({ name }) => name.endsWith(':id'))?.value;
    const place = id === undefined ? null : this.context.enclosed(id);
    if (place === null) return;
    this.edits.insert(tag.start, this.markup.element('p', this.markup.bookmark(`enclosed-${place}`)));
  }

  /** mammoth refuses a document with a picture or the address of a link that is missing. */
  private checkReference(tag: OpenTag): void {
    const { hasRelationship } = this.context;
    const isMissing = ({ name, value }: XmlAttribute): boolean =>
      /:(?:embed|link|id)$/.test(name) && !hasRelationship(value);
    if (tag.attributes.some(isMissing))
      this.edits.replace(
        tag,
        withAttributes(tag, (one) => !isMissing(one)),
      );
  }

  private begin(root: string): void {
    const prefix = root.slice(0, root.indexOf(':') + 1);
    this.paragraphName = `${prefix}p`;
    this.markup = new WordMarkup(prefix);
  }

  private close(local: string, tag: Place & { name: string }): void {
    this.around.pop();
    if (this.unreadDepth > 0) {
      if (unread.has(local)) this.unreadDepth--;
      return;
    }
    if (tag.name === this.paragraphName) {
      const paragraph = this.paragraphs.pop();
      if (paragraph !== undefined && !paragraph.isDeleted) this.finish(paragraph, tag.end);
    } else this.paragraphs.at(-1)?.close(local, tag);
    if (this.formula !== null && this.around.length < this.formula.depth) this.endFormula(this.formula.start, tag.end);
  }

  private endFormula(start: number, end: number): void {
    this.formula = null;
    const names = this.context.formulas.add(parseXml(this.xml.slice(start, end), this.context.filename));
    this.edits.replace({ start, end }, names.map((name) => this.markup.bookmark(name)).join(''));
  }

  private finish(paragraph: OpenParagraph, end: number): void {
    const { styles, lists, drawing } = this.context;
    const style = styles.find(paragraph.styleId);
    const list = lists.find(paragraph.numbering ?? style.numbering ?? '');
    const level = Math.min(paragraph.level ?? style.level ?? 0, levelsOfList - 1);
    const label = list === null ? '' : this.counters.next(list, level);
    const isShort = paragraph.characters <= headingCharactersMax;
    const heading = style.headingLevel ?? (isShort ? (paragraph.outlineLevel ?? style.outlineLevel) : null);
    if (paragraph.characters > 0) {
      if (heading === null) this.item(paragraph, list, level, label);
      else this.heading(paragraph, heading, label);
    }
    this.edits.insert(end, this.markup.blocks(paragraph.drawings.flatMap((id) => drawing(id))));
  }

  private heading(paragraph: OpenParagraph, level: number, label: string): void {
    this.restyle(paragraph, `Heading${Math.min(level, headingLevelMax)}`, this.labelRun(label));
  }

  private restyle(paragraph: OpenParagraph, style: string, content: string): void {
    if (paragraph.stylePlace !== null) this.edits.replace(paragraph.stylePlace, '');
    this.change(paragraph, this.markup.property('pStyle', style), content);
  }

  private item(paragraph: OpenParagraph, list: List | null, level: number, label: string): void {
    const { format, label: template = '' } = list?.levels.get(level) ?? {};
    const isBullet = format === 'bullet';
    if (format === undefined || (label === '' && !isBullet)) {
      if (paragraph.numberingPlace !== null) this.change(paragraph, '', '');
      return;
    }
    const { listDepth } = this.context.styles.find(paragraph.styleId);
    const begin = (kind: 'bullet' | 'more' | number): string =>
      this.markup.bookmark(itemBookmark(Math.max(level, listDepth), kind));
    const number = plainNumber(label);
    if (!isBullet) this.change(paragraph, '', number === null ? begin('bullet') + this.labelRun(label) : begin(number));
    else if (/^\s+$/.test(template)) this.change(paragraph, '', begin('more'));
    else this.change(paragraph, '', begin('bullet') + (checkboxes.has(label) ? this.labelRun(label) : ''));
  }

  private labelRun(label: string): string {
    return label === '' ? '' : this.markup.textRun(`${label} `);
  }

  /** Adds properties to a paragraph, without its numbering, and puts `content` before its text. */
  private change(paragraph: OpenParagraph, added: string, content: string): void {
    const { properties, propertiesContent, numberingPlace, tag } = paragraph;
    if (numberingPlace !== null) this.edits.replace(numberingPlace, '');
    if (properties === null || properties.end === propertiesContent) {
      const place = properties ?? { start: tag.end, end: tag.end };
      this.edits.replace(place, (added === '' ? '' : this.markup.element('pPr', added)) + content);
    } else {
      this.edits.insert(propertiesContent, added);
      this.edits.insert(properties.end, content);
    }
  }
}
