/** Gives headings their levels. Tags, the outline and numbers decide. Without them, the rank of their faces does. */
import type { TextBlock } from '../layout/block.js';

const levelMax = 6;
/** Faces with a smaller difference of size are one face: sizes are rounded differently from page to page. */
const sameSizeShare = 0.04;
const sectionNumber = /^(\d{1,3}(?:\.\d{1,3})*)\.?\s/;

export interface FoundHeading {
  block: TextBlock;
  outlineLevel: number | null;
}

/** `headings` are in the order of the document. */
export function headingLevels(headings: readonly FoundHeading[]): Map<TextBlock, number> {
  const faces = facesOf(headings);
  const firstStated = faces.findIndex(({ stated }) => stated.length > 0);
  const [first] = headings;
  // The title of a document is above its sections, and rarely in its outline.
  const titles = first !== undefined && faces.findIndex((face) => isFace(face, first.block)) < firstStated ? 1 : 0;
  rank(faces, firstStated, titles);
  return new Map(
    headings.map((heading) => {
      const level = exactLevel(heading, titles) ?? faces.find((face) => isFace(face, heading.block))?.level ?? 1;
      return [heading.block, Math.min(level, levelMax)];
    }),
  );
}

interface Face {
  size: number;
  isBold: boolean;
  /** The levels that the outline or the numbers of headings state. */
  stated: number[];
  level: number;
}

/** Larger faces come first. Of two faces of one size, the bold one does. */
function facesOf(headings: readonly FoundHeading[]): Face[] {
  const faces: Face[] = [];
  const sorted = headings.toSorted(
    ({ block: a }, { block: b }) => b.size - a.size || Number(b.isBold) - Number(a.isBold),
  );
  for (const { block, outlineLevel } of sorted) {
    let face = faces.at(-1);
    if (face === undefined || !isFace(face, block)) face = faces.find((other) => isFace(other, block));
    if (face === undefined) {
      face = { size: block.size, isBold: block.isBold, stated: [], level: 1 };
      faces.push(face);
    }
    const stated = outlineLevel ?? depthOf(block);
    if (stated !== null) face.stated.push(stated);
  }
  return faces;
}

function isFace(face: Pick<Face, 'size' | 'isBold'>, { size, isBold }: TextBlock): boolean {
  return face.isBold === isBold && Math.abs(face.size - size) <= face.size * sameSizeShare;
}

function rank(faces: readonly Face[], firstStated: number, titles: number): void {
  let above = 0;
  for (const [index, face] of faces.entries()) {
    const stated = face.stated.toSorted((first, second) => first - second)[face.stated.length >> 1];
    if (stated !== undefined) face.level = Math.max(stated + titles, above, 1);
    else face.level = index < firstStated ? 1 : above + 1;
    above = face.level;
  }
}

/** A single number may belong to a list. */
function exactLevel({ block, outlineLevel }: FoundHeading, titles: number): number | null {
  if (block.taggedLevel !== null) return block.taggedLevel;
  if (outlineLevel !== null) return outlineLevel + titles;
  const depth = depthOf(block);
  return depth === null || depth < 2 ? null : depth + titles;
}

/** The parts of a section's number: `2.1` has two. */
function depthOf({ plain }: TextBlock): number | null {
  return sectionNumber.exec(plain)?.[1]?.split('.').length ?? null;
}
