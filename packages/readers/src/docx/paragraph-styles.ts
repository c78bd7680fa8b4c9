/** The headings and numberings that the styles of a Word document define (ISO/IEC 29500-1, 17.7). */
import { childOf, childrenNamed, descend, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';
import { wholeNumber } from './list-definitions.js';

/** A style can be based on a second style. The chain is followed this far. */
const basesMax = 32;
/** Built-in styles: each is a list of one level, for the items of that depth. */
const listName = /^list (?:bullet|number) ([2-5])$/i;
const headingName = /^heading ?([1-9])$/i;
/** The style map covers these styles. */
const namedOtherwise = /^(?:title|subtitle|quote|intense quote)$/i;

export interface ParagraphStyle {
  /** The level of a built-in heading, from 1. */
  headingLevel: number | null;
  /** The outline level of another style, from 1. */
  outlineLevel: number | null;
  numbering: string | null;
  /** The level of the numbering, from 0. */
  level: number | null;
  /** How deep a built-in style nests its items, from 0. */
  listDepth: number;
}

const plain: ParagraphStyle = { headingLevel: null, outlineLevel: null, numbering: null, level: null, listDepth: 0 };

export class ParagraphStyles {
  private readonly paragraphs = new Map<string, XmlElement>();
  private readonly numberings = new Map<string, XmlElement>();
  private readonly found = new Map<string, ParagraphStyle>();
  private defaultId = '';

  constructor(styles: XmlElement | null) {
    for (const style of childrenNamed(styles, 'style')) {
      const type = prefixedAttribute(style, 'type');
      const id = prefixedAttribute(style, 'styleId') ?? '';
      const known = type === 'paragraph' ? this.paragraphs : type === 'numbering' ? this.numberings : null;
      // If several styles share an id, the first one counts.
      if (known === null || known.has(id)) continue;
      known.set(id, style);
      if (type === 'paragraph' && /^(?:1|true|on)$/.test(prefixedAttribute(style, 'default') ?? ''))
        this.defaultId = id;
    }
  }

  /** `id` is null for a paragraph that names no style. */
  find(id: string | null): ParagraphStyle {
    const wanted = id ?? this.defaultId;
    const known = this.found.get(wanted);
    if (known !== undefined) return known;
    const style = this.read(wanted);
    this.found.set(wanted, style);
    return style;
  }

  numberingOf(numberingStyle: string): string | null {
    return numberingIn(this.numberings.get(numberingStyle));
  }

  private read(id: string): ParagraphStyle {
    const chain = this.chainOf(id);
    const [own] = chain;
    const names = chain.map((style) => prefixedAttribute(childOf(style, 'name'), 'val') ?? '');
    const [name = ''] = names;
    const isOther = namedOtherwise.test(name);
    const heading = headingName.exec(name)?.[1] ?? headingName.exec(id)?.[1];
    const numbered = chain.find((style) => numberingIn(style) !== null);
    if (own === undefined && heading === undefined) return plain;
    return {
      headingLevel: isOther || heading === undefined ? null : Number(heading),
      outlineLevel: isOther ? null : outlineLevelIn(chain),
      numbering: numberingIn(numbered),
      level: levelIn(chain),
      listDepth: Number(names.map((one) => listName.exec(one)?.[1]).find(Boolean) ?? 1) - 1,
    };
  }

  /** The style, and the styles that it is based on. */
  private chainOf(id: string): XmlElement[] {
    const chain: XmlElement[] = [];
    let style = this.paragraphs.get(id);
    for (; style !== undefined && chain.length < basesMax && !chain.includes(style);) {
      chain.push(style);
      style = this.paragraphs.get(prefixedAttribute(childOf(style, 'basedOn'), 'val') ?? '');
    }
    return chain;
  }
}

function numberingIn(style: XmlElement | undefined): string | null {
  return prefixedAttribute(descend(style, 'pPr', 'numPr', 'numId'), 'val');
}

function levelIn(chain: readonly XmlElement[]): number | null {
  return first(chain, (style) => descend(style, 'pPr', 'numPr', 'ilvl'));
}

function outlineLevelIn(chain: readonly XmlElement[]): number | null {
  const level = first(chain, (style) => descend(style, 'pPr', 'outlineLvl'));
  return headingLevelOf(level);
}

function first(chain: readonly XmlElement[], part: (style: XmlElement) => XmlElement | null): number | null {
  const found = chain.map(part).find((element) => element !== null);
  return wholeNumber(prefixedAttribute(found, 'val'));
}

/** Word counts from 0, and 9 is body text. */
export function headingLevelOf(outlineLevel: number | null): number | null {
  return outlineLevel === null || outlineLevel > 8 ? null : outlineLevel + 1;
}
