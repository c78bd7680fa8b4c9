/** Collects, tag by tag, what a paragraph of a Word document states. */
import type { XmlAttribute, XmlToken } from '../xml/xml-tokens.js';
import { wholeNumber } from './list-definitions.js';
import { headingLevelOf } from './paragraph-styles.js';

export interface Place {
  start: number;
  end: number;
}

export type OpenTag = Extract<XmlToken, { kind: 'open' }>;

export class OpenParagraph {
  /** The element with the properties, and the position at which its content begins. */
  properties: Place | null = null;
  propertiesContent = 0;
  styleId: string | null = null;
  stylePlace: Place | null = null;
  numbering: string | null = null;
  /** From 0 */
  level: number | null = null;
  numberingPlace: Place | null = null;
  /** From 1 */
  outlineLevel: number | null = null;
  isDeleted = false;
  /** Charts and diagrams, by the ids with which the part refers to them. */
  readonly drawings: string[] = [];
  /** The number of characters of text. */
  characters = 0;
  private readonly depth: number;

  /** `around` are the local names of all open elements, the paragraph included. */
  constructor(
    readonly tag: OpenTag,
    private readonly around: readonly string[],
  ) {
    this.depth = around.length;
  }

  /** Receives the beginning of an element. `around` does not include it. */
  open(local: string, tag: OpenTag): void {
    const depth = this.around.length - this.depth;
    if (depth === 0) {
      if (local === 'pPr' && this.properties === null) {
        this.properties = { start: tag.start, end: tag.end };
        this.propertiesContent = tag.end;
      }
    } else if (this.around[this.depth] === 'pPr') {
      if (depth === 1) this.property(local, tag);
      else if (depth === 2) this.innerProperty(`${this.around.at(-1)} ${local}`, tag);
    }
  }

  /** Receives the beginning of an element at any depth of the paragraph. */
  drawing(local: string, tag: OpenTag): void {
    const attribute = local === 'chart' ? ':id' : local === 'relIds' ? ':dm' : null;
    const id = attribute === null ? undefined : tag.attributes.find(({ name }) => name.endsWith(attribute))?.value;
    if (id !== undefined) this.drawings.push(id);
  }

  /** Receives the end of an element. `around` does not include it. */
  close(local: string, tag: Place): void {
    const depth = this.around.length - this.depth;
    if (depth === 0 && local === 'pPr' && this.properties !== null) this.properties.end = tag.end;
    if (depth === 1 && local === 'numPr' && this.numberingPlace !== null) this.numberingPlace.end = tag.end;
  }

  private property(local: string, tag: OpenTag): void {
    if (local === 'pStyle') {
      this.styleId = valueOf(tag.attributes);
      this.stylePlace = tag;
    } else if (local === 'numPr') this.numberingPlace = { start: tag.start, end: tag.end };
    else if (local === 'outlineLvl') this.outlineLevel = headingLevelOf(wholeNumber(valueOf(tag.attributes)));
  }

  private innerProperty(path: string, tag: OpenTag): void {
    if (path === 'numPr numId') this.numbering = valueOf(tag.attributes);
    else if (path === 'numPr ilvl') this.level = wholeNumber(valueOf(tag.attributes));
    else if (path === 'rPr del') this.isDeleted = true;
  }
}

function valueOf(attributes: readonly XmlAttribute[]): string | null {
  return attributes.find(({ name }) => name.endsWith(':val'))?.value ?? null;
}
