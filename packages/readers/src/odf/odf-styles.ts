/** The styles of an OpenDocument file, with what they inherit (OASIS OpenDocument 1.3, part 3, 16). */
import type { List } from '../numbering/list.js';
import { childOf, elementsOf, type XmlElement } from '../xml/xml-tree.js';
import { numberingOf } from './odf-numbering.js';

export interface TextMarks {
  bold: boolean;
  italic: boolean;
  struck: boolean;
  raised: boolean;
  hidden: boolean;
}

export type ParagraphRole = 'title' | 'subtitle' | 'quote' | 'code' | 'text';

export type ListLabel = 'bullet' | 'number' | 'none';

interface Style {
  name: string;
  parent: string | null;
  element: XmlElement;
}

const plain: TextMarks = { bold: false, italic: false, struck: false, raised: false, hidden: false };
/** Chains of parents are followed to this length. */
const parentsMax = 32;

export class OdfStyles {
  private readonly styles = new Map<string, Style>();
  private readonly lists = new Map<string, ReadonlyMap<number, ListLabel>>();
  private readonly numberings = new Map<string, List>();
  private readonly masterPages = new Map<string, XmlElement>();
  private outline: List | null = null;
  private readonly marks = new Map<string, TextMarks>();

  /** `group` is one of `office:styles`, `office:automatic-styles` and `office:master-styles`. A later style replaces one of the same name. */
  add(group: XmlElement | null): void {
    for (const element of group === null ? [] : elementsOf(group)) {
      const name = element.attributes.get('style:name') ?? '';
      if (element.local === 'style') {
        const family = element.attributes.get('style:family') ?? '';
        this.styles.set(keyOf(family, name), {
          name,
          parent: element.attributes.get('style:parent-style-name') ?? null,
          element,
        });
      } else if (element.local === 'list-style') {
        this.lists.set(name, labelsOf(element));
        this.numberings.set(name, numberingOf(element, name));
      } else if (element.local === 'outline-style') this.outline = numberingOf(element, '');
      else if (element.local === 'master-page') this.masterPages.set(name, element);
    }
  }

  marksOf(styleName: string | undefined): TextMarks {
    if (styleName === undefined) return plain;
    const known = this.marks.get(styleName);
    if (known !== undefined) return known;
    const found = { ...plain };
    // The outermost parent comes first, so that the style itself decides.
    for (const { element } of this.chain('text', styleName).toReversed()) {
      const properties = childOf(element, 'text-properties')?.attributes;
      if (properties === undefined) continue;
      const weight = properties.get('fo:font-weight');
      if (weight !== undefined) found.bold = /^(?:bold|[6-9]00)$/.test(weight);
      const slant = properties.get('fo:font-style');
      if (slant !== undefined) found.italic = /^(?:italic|oblique)$/.test(slant);
      const line = properties.get('style:text-line-through-style');
      if (line !== undefined) found.struck = line !== 'none';
      const position = properties.get('style:text-position');
      if (position !== undefined) found.raised = /^(?:super|[1-9]\d*(?:\.\d+)?%)/.test(position);
      const display = properties.get('text:display');
      if (display !== undefined) found.hidden = display === 'none';
    }
    this.marks.set(styleName, found);
    return found;
  }

  /** The role that the name of a paragraph's style, or of one of its parents, gives it. */
  roleOf(styleName: string | undefined): ParagraphRole {
    const chain = this.chain('paragraph', styleName ?? '');
    // Programs refer to styles by their usual names without a definition.
    const last = chain.at(-1);
    const undefinedName = last === undefined ? styleName : last.parent;
    for (const name of [...chain.map((style) => style.name), undefinedName]) {
      if (name === 'Title') return 'title';
      if (name === 'Subtitle') return 'subtitle';
      if (name === 'Quotations') return 'quote';
      if (name === 'Preformatted_20_Text') return 'code';
    }
    return 'text';
  }

  /** The level of a heading that is made of a paragraph, from 1. Null for other paragraphs. */
  outlineLevelOf(styleName: string | undefined): number | null {
    for (const { element } of this.chain('paragraph', styleName ?? '')) {
      const level = Number(element.attributes.get('style:default-outline-level') || 0);
      if (level >= 1) return level;
    }
    return null;
  }

  /** The page that begins with a paragraph or table of this style, as the first of a text does. Otherwise, it is the standard page. */
  masterPage(styleName: string | undefined): XmlElement | null {
    for (const family of ['paragraph', 'table']) {
      for (const { element } of this.chain(family, styleName ?? '')) {
        const name = element.attributes.get('style:master-page-name') ?? '';
        if (name !== '') return this.masterPages.get(name) ?? null;
      }
    }
    return this.masterPages.get('Standard') ?? null;
  }

  /** `level` counts from 1. */
  labelOf(listStyle: string | undefined, level: number): ListLabel {
    return this.lists.get(listStyle ?? '')?.get(level) ?? 'bullet';
  }

  /** The numbering of the headings in a list, or of headings outside of lists. */
  numberingOf(listStyle: string | null): List | null {
    return listStyle === null ? this.outline : (this.numberings.get(listStyle) ?? null);
  }

  /** An attribute of the properties of a style: of a table, or of a page. */
  property(family: string, styleName: string | undefined, attribute: string): string | null {
    for (const { element } of this.chain(family, styleName ?? '')) {
      for (const properties of elementsOf(element)) {
        const found = properties.attributes.get(attribute);
        if (found !== undefined) return found;
      }
    }
    return null;
  }

  private chain(family: string, name: string): Style[] {
    const found: Style[] = [];
    let at = this.styles.get(keyOf(family, name));
    while (at !== undefined && found.length < parentsMax) {
      found.push(at);
      at = at.parent === null ? undefined : this.styles.get(keyOf(family, at.parent));
    }
    return found;
  }
}

function keyOf(family: string, name: string): string {
  return `${family} ${name}`;
}

function labelsOf(listStyle: XmlElement): ReadonlyMap<number, ListLabel> {
  const labels = new Map<number, ListLabel>();
  for (const level of elementsOf(listStyle)) {
    const number = Number(level.attributes.get('text:level'));
    if (level.local === 'list-level-style-number')
      labels.set(number, (level.attributes.get('style:num-format') ?? '') === '' ? 'none' : 'number');
    else if (level.local === 'list-level-style-bullet')
      labels.set(number, (level.attributes.get('text:bullet-char') ?? '').trim() === '' ? 'none' : 'bullet');
    else labels.set(number, 'bullet');
  }
  return labels;
}
