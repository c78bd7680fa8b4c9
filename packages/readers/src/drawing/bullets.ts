/** List items of text in drawings (DrawingML, ISO/IEC 29500-1, 21.1.2.4). */
import { attributeOf, elementsOf, type XmlElement } from '../xml/xml-tree.js';

export type Bullet = 'none' | 'bullet' | 'number';

export const levelsOfText = 9;

/** The bullet that a paragraph states itself, or null. */
export function statedBullet(properties: XmlElement | null): Bullet | null {
  for (const child of properties === null ? [] : elementsOf(properties)) {
    if (child.local === 'buNone') return 'none';
    if (child.local === 'buAutoNum') return 'number';
    if (child.local === 'buChar' || child.local === 'buBlip') return 'bullet';
  }
  return null;
}

/** From 0 */
export function levelOf(properties: XmlElement | null): number {
  const level = Number(attributeOf(properties, 'lvl') ?? 0);
  return Number.isInteger(level) && level > 0 ? Math.min(level, levelsOfText - 1) : 0;
}
