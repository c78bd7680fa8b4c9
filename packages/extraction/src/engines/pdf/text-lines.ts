import type { TextItem } from '@llamaindex/liteparse';

/** A printed line: adjacent runs of text on one base line. */
export interface TextLine {
  text: string;
  y: number;
  /** The face of its first run. */
  face: string;
  height: number;
  /** Whether all runs have that face and size. */
  isUniform: boolean;
}

/** Runs with a larger gap, in multiples of their height, belong to different columns. */
const columnGapHeights = 2.5;

export function linesOf(items: readonly TextItem[]): TextLine[] {
  const lines: TextLine[] = [];
  let endX = 0;
  for (const item of items) {
    const text = item.text.trim();
    if (text === '' || (item.rotation ?? 0) !== 0) continue;
    const height = item.fontHeight ?? item.fontSize ?? item.height;
    const face = item.fontName ?? '';
    const line = lines.at(-1);
    const gap = item.x - endX;
    if (
      line !== undefined &&
      Math.abs(line.y - item.y) < height * 0.3 &&
      gap > -height &&
      gap < height * columnGapHeights
    ) {
      line.text += ` ${text}`;
      line.isUniform &&= line.face === face && Math.abs(line.height - height) < 0.5;
    } else {
      lines.push({ text, y: item.y, face, height, isUniform: true });
    }
    endX = item.x + item.width;
  }
  return lines;
}
