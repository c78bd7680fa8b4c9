/**
 * Turns the coordinates of a page so that most of its text is upright. A page may be printed sideways, by its own rotation or
 * by that of its text: both look the same here.
 */
import type { Box } from '../page-model.js';
import type { GlyphRun, QuarterTurn } from './glyph.js';

/** Text that is turned less against a quarter turn is taken for that. Scanners and slides are not exact. */
const toleranceDegrees = 3;

/** The quarter turn of a direction. Null for text across the page, such as watermarks. */
export function quarterTurn(degrees: number): QuarterTurn | null {
  const positive = ((degrees % 360) + 360) % 360;
  const nearest = Math.round(positive / 90) * 90;
  return Math.abs(positive - nearest) <= toleranceDegrees ? ((nearest % 360) as QuarterTurn) : null;
}

/** The direction of most glyphs. */
export function mostTurn(runs: readonly GlyphRun[]): QuarterTurn {
  const counts = new Map<QuarterTurn, number>();
  for (const { turn, glyphs } of runs) if (turn !== null) counts.set(turn, (counts.get(turn) ?? 0) + glyphs);
  let most: QuarterTurn = 0;
  for (const [turn, count] of counts) if (count > (counts.get(most) ?? 0)) most = turn;
  return most;
}

export interface Point {
  x: number;
  y: number;
}

/** Maps page coordinates, with `y` upwards, to the upright frame, with `y` downwards. */
export class Frame {
  readonly width: number;
  readonly height: number;

  constructor(
    private readonly page: Box,
    private readonly turn: QuarterTurn,
  ) {
    const [across, along] = [Math.abs(page.right - page.left), Math.abs(page.top - page.bottom)];
    [this.width, this.height] = turn % 180 === 0 ? [across, along] : [along, across];
  }

  point(x: number, y: number): Point {
    const { left, top, right, bottom } = this.page;
    if (this.turn === 0) return { x: x - left, y: top - y };
    if (this.turn === 90) return { x: y - bottom, y: x - left };
    if (this.turn === 180) return { x: right - x, y: y - bottom };
    return { x: top - y, y: right - x };
  }

  box(box: Box): Box {
    if (this.turn === 0) {
      const { left, top } = this.page;
      return { left: box.left - left, top: top - box.top, right: box.right - left, bottom: top - box.bottom };
    }
    const [first, second] = [this.point(box.left, box.top), this.point(box.right, box.bottom)];
    return {
      left: Math.min(first.x, second.x),
      top: Math.min(first.y, second.y),
      right: Math.max(first.x, second.x),
      bottom: Math.max(first.y, second.y),
    };
  }
}
