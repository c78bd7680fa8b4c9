/** Where shapes are on a slide (ISO/IEC 29500-1, 20.1.7.6): by their own transform, or that of the placeholder that they inherit from. */
import { attributeOf, childOf, descend, descendants, type XmlElement } from '../xml/xml-tree.js';
import { placeholderOf, roleOf } from './list-styles.js';

/** In English metric units, from the top left corner of the slide or of a group. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How the coordinates of a group become those of the slide: each is scaled, then moved. Without arguments, those of the slide. */
export class ToSlide {
  constructor(
    private readonly across = { scale: 1, move: 0 },
    private readonly down = { scale: 1, move: 0 },
  ) {}

  apply({ x, y, width, height }: Frame): Frame {
    const { across, down } = this;
    return {
      x: x * across.scale + across.move,
      y: y * down.scale + down.move,
      width: width * across.scale,
      height: height * down.scale,
    };
  }

  /** For what a group contains. The group may scale it. */
  within(group: XmlElement): ToSlide {
    const transform = descend(group, 'grpSpPr', 'xfrm');
    const [outer, inner] = [boxOf(transform, 'off', 'ext'), boxOf(transform, 'chOff', 'chExt')];
    if (outer === null || inner === null || inner.width === 0 || inner.height === 0) return this;
    const placed = this.apply(outer);
    const [across, down] = [placed.width / inner.width, placed.height / inner.height];
    return new ToSlide(
      { scale: across, move: placed.x - inner.x * across },
      { scale: down, move: placed.y - inner.y * down },
    );
  }
}

const unitsPerDegree = 60_000;
const longest = 2 ** 40;

function numberOf(element: XmlElement | null, name: string): number | null {
  const text = attributeOf(element, name);
  const value = text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(value) <= longest ? value : null;
}

function boxOf(transform: XmlElement | null, offset: string, extent: string): Frame | null {
  const [at, size] = [childOf(transform, offset), childOf(transform, extent)];
  const [x, y, width, height] = [numberOf(at, 'x'), numberOf(at, 'y'), numberOf(size, 'cx'), numberOf(size, 'cy')];
  return x === null || y === null || width === null || height === null ? null : { x, y, width, height };
}

/** The box around a shape that is rotated around its center. */
function rotated({ x, y, width, height }: Frame, degrees: number): Frame {
  if (degrees === 0) return { x, y, width, height };
  const angle = (degrees * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const across = width * cosine + height * sine;
  const down = width * sine + height * cosine;
  return { x: x + (width - across) / 2, y: y + (height - down) / 2, width: across, height: down };
}

/** Null for a shape that states none itself. */
function statedFrame(shape: XmlElement): Frame | null {
  const transform = descend(shape, 'spPr', 'xfrm') ?? childOf(shape, 'xfrm');
  const box = boxOf(transform, 'off', 'ext');
  return box === null ? null : rotated(box, (numberOf(transform, 'rot') ?? 0) / unitsPerDegree);
}

/** The frames of the placeholders of a layout and its master. */
export class PlaceholderFrames {
  private readonly sheets: readonly { byIndex: Map<string, Frame>; byRole: Map<string, Frame> }[];

  constructor(layout: XmlElement | null, master: XmlElement | null) {
    this.sheets = [layout, master].map(framesOf);
  }

  /** Null when neither the shape nor a placeholder states it. */
  of(shape: XmlElement): Frame | null {
    const own = statedFrame(shape);
    const placeholder = own === null ? placeholderOf(shape) : null;
    if (placeholder === null) return own;
    const { type, index } = placeholder;
    for (const { byIndex, byRole } of this.sheets) {
      const frame = (index === null ? undefined : byIndex.get(index)) ?? byRole.get(roleOf(type));
      if (frame !== undefined) return frame;
    }
    return null;
  }
}

function framesOf(sheet: XmlElement | null) {
  const [byIndex, byRole] = [new Map<string, Frame>(), new Map<string, Frame>()];
  const tree = descend(sheet, 'cSld', 'spTree');
  for (const shape of tree === null ? [] : descendants(tree, 'sp')) {
    const [placeholder, frame] = [placeholderOf(shape), statedFrame(shape)];
    if (placeholder === null || frame === null) continue;
    if (placeholder.index !== null) byIndex.set(placeholder.index, frame);
    const role = roleOf(placeholder.type);
    if (!byRole.has(role)) byRole.set(role, frame);
  }
  return { byIndex, byRole };
}
