// Where the text of a page stands. A piece is a run of words on one line, in reading order, without a link in its middle.
import { plainText } from '../markdown/inline-text.js';
import type { Box, PageContent, Word, RightAngle } from '../page-model.js';
import { boundsOf, segmentsOf } from '../words/rows.js';

export interface Piece extends Box {
  text: string;
}

/** A piece of a page as it is shown. A region is x, y, width and height in ten thousandths of the page, from its top left corner. */
export interface PagePiece {
  text: string;
  region: Region;
}

export type Region = readonly [x: number, y: number, width: number, height: number];

export const REGION_UNITS = 10_000;
/** A page with more is a drawing. */
const PIECES_MAX = 5_000;

/** The pieces of a line. The address of a link stands between its text and the next, so the text of a link is a piece of its own. */
export function piecesOf(words: readonly Word[]): Piece[] {
  const runs: Word[][] = [];
  let link: string | null = null;
  for (const word of words) {
    const run = runs.at(-1);
    if (run && word.link === link) run.push(word);
    else runs.push([word]);
    link = word.link;
  }
  return runs.map((run) => ({ text: plainText(run), ...boundsOf(run) }));
}

/** The pieces of a table: each is a line of a cell, or of several cells whose gap is narrow. */
export const tablePieces = (words: readonly Word[]): Piece[] =>
  segmentsOf(words).flatMap((each) => piecesOf(each.words));

export function shownPieces(pieces: readonly Piece[], page: PageContent): PagePiece[] {
  const frame = new ShownPage(page);
  return pieces.slice(0, PIECES_MAX).map((piece) => ({ text: piece.text, region: frame.regionOf(piece) }));
}

/** The size of a page as it is shown, in points. */
export function shownSizeOf({ width, height, rotation }: Pick<PageContent, 'width' | 'height' | 'rotation'>) {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

class ShownPage {
  constructor(private readonly page: Pick<PageContent, 'width' | 'height' | 'rotation'>) {}

  regionOf({ left, top, right, bottom }: Box): Region {
    const { width, height } = shownSizeOf(this.page);
    const [one, other] = [this.point(left, top), this.point(right, bottom)];
    const across = [one.x / width, other.x / width].map(inUnits);
    const down = [one.y / height, other.y / height].map(inUnits);
    const [x, y] = [Math.min(...across), Math.min(...down)];
    return [x, y, Math.max(...across) - x, Math.max(...down) - y];
  }

  private point(x: number, y: number): { x: number; y: number } {
    const { width, height, rotation } = this.page;
    const shown: Record<RightAngle, { x: number; y: number }> = {
      0: { x, y },
      90: { x: height - y, y: x },
      180: { x: width - x, y: height - y },
      270: { x: y, y: width - x },
    };
    return shown[rotation];
  }
}

/** Text may be drawn beyond the edge of its page. */
const inUnits = (share: number) =>
  Math.round(Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * REGION_UNITS);
