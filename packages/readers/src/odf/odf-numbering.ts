/** Reads how an OpenDocument file numbers headings (OASIS OpenDocument 1.3, part 3, 16.31 and 16.35). */
import { labelCharactersMax, levelsOfList, type List, type ListLevel } from '../numbering/list.js';
import { elementsOf, type XmlElement } from '../xml/xml-tree.js';

const formats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '一, 二, 三, ...': 'chineseCounting',
  '①, ②, ③, ...': 'decimalEnclosedCircle',
};
const numberMax = 1_000_000;

export function numberingOf(style: XmlElement, name: string): List {
  const levels = new Map<number, ListLevel>();
  for (const element of elementsOf(style)) {
    const level = Number(element.attributes.get('text:level')) - 1;
    if (level >= 0 && level < levelsOfList) levels.set(level, levelOf(element, level, levels));
  }
  return { id: name, sequence: name, levels, starts: new Map() };
}

/** `above` holds the levels above this one. */
function levelOf(element: XmlElement, level: number, above: ReadonlyMap<number, ListLevel>): ListLevel {
  const of = (attribute: string): string => element.attributes.get(attribute) ?? '';
  const stated = of('style:num-format');
  const format = stated === '' ? 'none' : Object.hasOwn(formats, stated) ? (formats[stated] ?? '') : 'decimal';
  const start = Number(of('text:start-value') || 1);
  const shown = Math.min(Math.max(Number(of('text:display-levels') || 1) || 1, 1), level + 1);
  const numbers = Array.from({ length: shown }, (_, index) => level - shown + 1 + index)
    .filter((at) => at === level || (above.get(at)?.format ?? 'none') !== 'none')
    .map((at) => `%${at + 1}`);
  const affix = (text: string): string => text.replaceAll('%', '').slice(0, labelCharactersMax);
  return {
    start: Number.isInteger(start) && start >= 0 ? Math.min(start, numberMax) : 1,
    format,
    label: format === 'none' ? '' : affix(of('style:num-prefix')) + numbers.join('.') + affix(of('style:num-suffix')),
    restart: null,
    isLegal: false,
  };
}
