/** Gives headings their levels: as tags and numbers state, and otherwise by the rank of their faces in the document. */
import type { TextBlock } from '../layout/block.js';

const levelMax = 6;
/** Faces in which fewer letters differ are one: sizes are rounded differently from page to page. */
const sameSizeShare = 0.04;
const sectionNumber = /^(\d{1,3}(?:\.\d{1,3})*)\.?\s/;

export interface FoundHeading {
  block: TextBlock;
  /** The level in the outline. */
  outlineLevel: number | null;
}

export function headingLevels(headings: readonly FoundHeading[]): Map<TextBlock, number> {
  const ranks = rankFaces(headings.map(({ block }) => block));
  const levels = new Map<TextBlock, number>();
  for (const { block } of headings) {
    const rank = ranks.findIndex((face) => isFace(face, block)) + 1;
    const depth = sectionNumber.exec(block.plain)?.[1]?.split('.').length ?? 0;
    levels.set(block, Math.min(levelMax, block.taggedLevel ?? Math.max(rank, depth, 1)));
  }
  return levels;
}

interface Face {
  size: number;
  isBold: boolean;
}

/** Larger faces first; of one size, the bold one. */
function rankFaces(blocks: readonly TextBlock[]): Face[] {
  const faces: Face[] = [];
  for (const { size, isBold } of [...blocks].sort((a, b) => b.size - a.size || Number(b.isBold) - Number(a.isBold)))
    if (faces.length < levelMax && !faces.some((face) => isFace(face, { size, isBold }))) faces.push({ size, isBold });
  return faces;
}

function isFace(face: Face, { size, isBold }: Face): boolean {
  return face.isBold === isBold && Math.abs(face.size - size) <= face.size * sameSizeShare;
}
