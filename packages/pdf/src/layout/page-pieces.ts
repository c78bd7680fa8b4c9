// Where the text of a page stands. A piece is a run of words on one line, in reading order, without a link in its middle.
import { plainText } from '../markdown/inline-text.js';
import type { Box, PageContent, Word } from '../page-model.js';
import { boundsOf, segmentsOf } from '../words/rows.js';
import type { Point } from '../words/upright.js';

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
  constructor(private readonly page: Pick<PageContent, 'width' | 'height' | 'rotation' | 'skew'>) {}

  regionOf({ left, top, right, bottom }: Box): Region {
    const { width, height } = shownSizeOf(this.page);
    const corners = [
      this.point(left, top),
      this.point(right, top),
      this.point(left, bottom),
      this.point(right, bottom),
    ];
    const across = corners.map(({ x }) => inUnits(x / width));
    const down = corners.map(({ y }) => inUnits(y / height));
    const [x, y] = [Math.min(...across), Math.min(...down)];
    return [x, y, Math.max(...across) - x, Math.max(...down) - y];
  }

  private point(x: number, y: number): Point {
    const { width, height, rotation } = this.page;
    const askew = this.askew(x, y);
    switch (rotation) {
      case 0:
        return askew;
      case 90:
        return { x: height - askew.y, y: askew.x };
      case 180:
        return { x: width - askew.x, y: height - askew.y };
      case 270:
        return { x: askew.y, y: width - askew.x };
    }
  }

  /** Where a point was before the picture was straightened around its center. */
  private askew(x: number, y: number): Point {
    const { width, height, skew = 0 } = this.page;
    if (skew === 0) return { x, y };
    const [sine, cosine] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)];
    const [across, down] = [x - width / 2, y - height / 2];
    return { x: across * cosine - down * sine + width / 2, y: across * sine + down * cosine + height / 2 };
  }
}

/** Text may be drawn beyond the edge of its page. */
const inUnits = (share: number) =>
  Math.round(Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * REGION_UNITS);
