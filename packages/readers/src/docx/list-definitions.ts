/** The numberings of a Word document (ISO/IEC 29500-1, 17.9). */
import { childOf, childrenNamed, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';
import { labelCharactersMax, levelsOfList, type List, type ListLevel } from '../numbering/list.js';

const numberMax = 0x7fff_ffff;
/** A numbering can refer to a style, which refers to a numbering. */
const linksMax = 8;

export class ListDefinitions {
  private readonly instances: ReadonlyMap<string, XmlElement>;
  private readonly abstracts: ReadonlyMap<string, XmlElement>;
  private readonly found = new Map<string, List | null>();

  /** `numbering` is the root of numbering.xml. `numberingOfStyle` returns the id of the numbering of a numbering style. */
  constructor(
    numbering: XmlElement | null,
    private readonly numberingOfStyle: (styleId: string) => string | null,
  ) {
    this.instances = byId(childrenNamed(numbering, 'num'), 'numId');
    this.abstracts = byId(childrenNamed(numbering, 'abstractNum'), 'abstractNumId');
  }

  find(id: string): List | null {
    const known = this.found.get(id);
    if (known !== undefined) return known;
    const list = this.read(id);
    this.found.set(id, list);
    return list;
  }

  private read(id: string): List | null {
    const instance = this.instances.get(id);
    const abstract = this.abstractOf(instance);
    if (instance === undefined || abstract === null) return null;
    const levels = levelsIn(abstract);
    const starts = new Map<number, number>();
    for (const override of childrenNamed(instance, 'lvlOverride')) {
      const level = numberOf(override, 'ilvl');
      const start = childOf(override, 'startOverride');
      if (level === null) continue;
      if (start !== null) starts.set(level, numberOf(start, 'val') ?? 0);
      for (const [own, definition] of levelsIn(override)) levels.set(own, definition);
    }
    return { id, sequence: prefixedAttribute(abstract, 'abstractNumId') ?? '', levels, starts };
  }

  private abstractOf(instance: XmlElement | undefined): XmlElement | null {
    let at = instance;
    for (let links = 0; at !== undefined && links < linksMax; links++) {
      const abstract = this.abstracts.get(valueOf(at, 'abstractNumId') ?? '');
      if (abstract === undefined) return null;
      const style = valueOf(abstract, 'numStyleLink');
      if (style === null) return abstract;
      at = this.instances.get(this.numberingOfStyle(style) ?? '');
    }
    return null;
  }
}

function byId(elements: readonly XmlElement[], attribute: string): ReadonlyMap<string, XmlElement> {
  return new Map(elements.map((element) => [prefixedAttribute(element, attribute) ?? '', element]));
}

/** A level without an index is the first one. */
function levelsIn(parent: XmlElement): Map<number, ListLevel> {
  const levels = new Map<number, ListLevel>();
  for (const level of childrenNamed(parent, 'lvl')) {
    const index = prefixedAttribute(level, 'ilvl') === null ? 0 : numberOf(level, 'ilvl');
    if (index !== null && index < levelsOfList) levels.set(index, levelOf(level));
  }
  return levels;
}

function levelOf(level: XmlElement): ListLevel {
  const legal = childOf(level, 'isLgl');
  return {
    start: numberOf(childOf(level, 'start'), 'val') ?? 0,
    format: valueOf(level, 'numFmt') ?? 'decimal',
    label: (valueOf(level, 'lvlText') ?? '').slice(0, labelCharactersMax),
    restart: numberOf(childOf(level, 'lvlRestart'), 'val'),
    isLegal: legal !== null && !/^(?:0|false|off)$/.test(prefixedAttribute(legal, 'val') ?? ''),
  };
}

function valueOf(parent: XmlElement, child: string): string | null {
  return prefixedAttribute(childOf(parent, child), 'val');
}

function numberOf(element: XmlElement | null, attribute: string): number | null {
  return wholeNumber(prefixedAttribute(element, attribute));
}

export function wholeNumber(text: string | null): number | null {
  return text === null || !/^\d{1,10}$/.test(text) ? null : Math.min(Number(text), numberMax);
}
