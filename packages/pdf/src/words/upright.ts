/**
 * Rotates the coordinates of a page so that most of its text is upright. A page may be printed sideways by its own
 * rotation or by the rotation of its text. Both look the same here.
 */
import type { Box, RightAngle } from '../page-model.js';
import type { GlyphRun } from './glyph.js';

/** Text within this angle of a right angle counts as upright or sideways, because scanners and slides are not exact. */
const toleranceDegrees = 3;

/** The right angle of a direction. Null for slanted text, such as watermarks. */
export function nearestRightAngle(degrees: number): RightAngle | null {
  const positive = ((degrees % 360) + 360) % 360;
  const nearest = Math.round(positive / 90) * 90;
  return Math.abs(positive - nearest) <= toleranceDegrees ? ((nearest % 360) as RightAngle) : null;
}

/** The direction of most glyphs. */
export function mainRotation(runs: readonly GlyphRun[]): RightAngle {
  const counts = new Map<RightAngle, number>();
  for (const { rotation, glyphs } of runs)
    if (rotation !== null) counts.set(rotation, (counts.get(rotation) ?? 0) + glyphs);
  let most: RightAngle = 0;
  for (const [rotation, count] of counts) if (count > (counts.get(most) ?? 0)) most = rotation;
  return most;
}

/** The rotation from the frame to the page as it is shown. The page is turned clockwise by quarters. */
export const rotationBetween = (rotation: RightAngle, quarters: number): RightAngle =>
  ((((quarters * 90 - rotation) % 360) + 360) % 360) as RightAngle;

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
    private readonly rotation: RightAngle,
  ) {
    const [across, along] = [Math.abs(page.right - page.left), Math.abs(page.top - page.bottom)];
    [this.width, this.height] = rotation % 180 === 0 ? [across, along] : [along, across];
  }

  point(x: number, y: number): Point {
    const { left, top, right, bottom } = this.page;
    if (this.rotation === 0) return { x: x - left, y: top - y };
    if (this.rotation === 90) return { x: y - bottom, y: x - left };
    if (this.rotation === 180) return { x: right - x, y: y - bottom };
    return { x: top - y, y: right - x };
  }

  box(box: Box): Box {
    if (this.rotation === 0) {
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
