/**
 * Whether a paragraph of a slide is a list item. Most slides do not state it: a text box inherits from the placeholder of its layout, that
 * from its master, and that from the master's text styles (ISO/IEC 29500-1, 19.3.1.36 and 21.1.2.4).
 */
import { type Bullet, levelsOfText, statedBullet } from '../drawing/bullets.js';
import { attributeOf, childOf, descend, descendants, elementsOf, type XmlElement } from '../xml/xml-tree.js';

/** The bullet of each level. Null if the style does not state it. */
type ListStyle = readonly (Bullet | null)[];

export interface Placeholder {
  type: string;
  index: string | null;
}

const unstated: ListStyle = Array.from({ length: levelsOfText }, () => null);

/** Null for a text box that is no placeholder. */
export function placeholderOf(shape: XmlElement): Placeholder | null {
  for (const properties of elementsOf(shape)) {
    if (!/^nv\w*Pr$/.test(properties.local)) continue;
    const found = descend(properties, 'nvPr', 'ph');
    return found === null ? null : { type: attributeOf(found, 'type') ?? 'obj', index: attributeOf(found, 'idx') };
  }
  return null;
}

/** The placeholders of a layout and its master. Slides share them. */
export class SlideTemplate {
  private readonly layout: PlaceholderStyles;
  private readonly master: PlaceholderStyles;
  private readonly textStyles: ReadonlyMap<string, ListStyle>;

  constructor(layout: XmlElement | null, master: XmlElement | null) {
    this.layout = new PlaceholderStyles(layout);
    this.master = new PlaceholderStyles(master);
    const styles = childOf(master, 'txStyles');
    this.textStyles = new Map(
      ['titleStyle', 'bodyStyle', 'otherStyle'].map((name) => [name, listStyleOf(childOf(styles, name))]),
    );
  }

  /** The bullets of a shape for each level: its own, and those that it inherits. */
  bulletsOf(shape: XmlElement): readonly Bullet[] {
    const placeholder = placeholderOf(shape);
    const own = listStyleOf(descend(shape, 'txBody', 'lstStyle'));
    const role = placeholder === null ? '' : roleOf(placeholder.type);
    const chain =
      placeholder === null
        ? [own]
        : [
            own,
            this.layout.find(role, placeholder.index),
            this.master.find(role, null),
            this.textStyles.get(role) ?? unstated,
          ];
    return unstated.map((_, level) => chain.find((style) => style[level] != null)?.[level] ?? 'none');
  }
}

class PlaceholderStyles {
  private readonly byIndex = new Map<string, ListStyle>();
  private readonly byRole = new Map<string, ListStyle>();

  constructor(sheet: XmlElement | null) {
    const tree = descend(sheet, 'cSld', 'spTree');
    for (const shape of tree === null ? [] : descendants(tree, 'sp')) {
      const placeholder = placeholderOf(shape);
      if (placeholder === null) continue;
      const style = listStyleOf(descend(shape, 'txBody', 'lstStyle'));
      const role = roleOf(placeholder.type);
      if (placeholder.index !== null) this.byIndex.set(placeholder.index, style);
      if (!this.byRole.has(role)) this.byRole.set(role, style);
    }
  }

  find(role: string, index: string | null): ListStyle {
    return (index === null ? undefined : this.byIndex.get(index)) ?? this.byRole.get(role) ?? unstated;
  }
}

/** The text style of a master that a type of placeholder uses. */
export function roleOf(type: string): string {
  if (type === 'title' || type === 'ctrTitle') return 'titleStyle';
  return /^(?:body|obj|subTitle|tbl|chart|pic|dgm|media|clipArt)$/.test(type) ? 'bodyStyle' : 'otherStyle';
}

function listStyleOf(style: XmlElement | null): ListStyle {
  if (style === null) return unstated;
  const found = [...unstated];
  for (const level of elementsOf(style)) {
    const number = /^lvl([1-9])pPr$/.exec(level.local)?.[1];
    if (number !== undefined) found[Number(number) - 1] = statedBullet(level);
  }
  return found;
}
