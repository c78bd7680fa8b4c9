/**
 * Makes the background of a picture white, whatever its color or shade. Each pixel is divided by the background around
 * it. The background is what remains without dark marks that are thinner than a letter (a morphological closing). The
 * edges of colored areas stay sharp.
 */
import type { GreyBitmap } from './grey-bitmap.js';

/** A background as light as this is white paper. */
const whiteMin = 240;
/** A picture changes only if less of it than this is white paper. */
const shadedShareMin = 0.02;
/** Dark areas stay dark, because they are pictures or hold light text. */
const darkMax = 90;

/** `radius` is more than half of the thickest stroke. In pixels. */
export function evenBackground(bitmap: GreyBitmap, radius: number): GreyBitmap {
  if (!isShaded(bitmap, radius)) return bitmap;
  const { pixels } = bitmap;
  const light = maxAround(bitmap, radius);
  // The minimum is the maximum of the inverted picture.
  const background = inverted(maxAround({ ...bitmap, pixels: inverted(light) }, radius));
  const even = new Uint8Array(pixels.length);
  for (let index = 0; index < pixels.length; index++) {
    const level = background[index] ?? 0;
    const pixel = pixels[index] ?? 0;
    even[index] = Math.min(255, Math.round((pixel * 255) / (level < darkMax ? 255 : level)));
  }
  return { ...bitmap, pixels: even };
}

/** Whether some squares have no white pixel. Each square is larger than a stroke. */
function isShaded({ width, height, pixels }: GreyBitmap, radius: number): boolean {
  const side = 2 * radius + 1;
  let [squares, shaded] = [0, 0];
  for (let top = 0; top + side <= height; top += side)
    for (let left = 0; left + side <= width; left += side) {
      squares++;
      if (!hasWhite(pixels, top * width + left, side, width)) shaded++;
    }
  return shaded > squares * shadedShareMin;
}

function hasWhite(pixels: Uint8Array, start: number, side: number, width: number): boolean {
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if ((pixels[start + y * width + x] ?? 0) >= whiteMin) return true;
  return false;
}

function inverted(pixels: Uint8Array): Uint8Array {
  return pixels.map((pixel) => 255 - pixel);
}

/** The maximum of the square around each pixel. */
function maxAround({ width, height, pixels }: GreyBitmap, radius: number): Uint8Array {
  const across = new Uint8Array(pixels.length);
  const line = new MaxLine(Math.max(width, height), radius);
  for (let y = 0; y < height; y++) line.run(pixels, across, y * width, 1, width);
  const both = new Uint8Array(pixels.length);
  for (let x = 0; x < width; x++) line.run(across, both, x, width, height);
  return both;
}

/** The maximum around each pixel of a line (van Herk 1992: three comparisons for each pixel, whatever the radius). */
class MaxLine {
  private readonly padded: Uint8Array;
  private readonly forward: Uint8Array;
  private readonly backward: Uint8Array;

  constructor(
    length: number,
    private readonly radius: number,
  ) {
    const window = 2 * radius + 1;
    const room = length + 2 * window;
    [this.padded, this.forward, this.backward] = [new Uint8Array(room), new Uint8Array(room), new Uint8Array(room)];
  }

  run(from: Uint8Array, to: Uint8Array, start: number, step: number, length: number): void {
    const { radius, padded, forward, backward } = this;
    const window = 2 * radius + 1;
    const room = Math.min(padded.length, Math.ceil((length + 2 * radius) / window) * window);
    padded.fill(0);
    for (let index = 0; index < length; index++) padded[index + radius] = from[start + index * step] ?? 0;
    for (let first = 0; first < room; first += window) {
      const end = Math.min(room, first + window);
      let most = 0;
      for (let index = first; index < end; index++) {
        const value = padded[index] ?? 0;
        if (value > most) most = value;
        forward[index] = most;
      }
      most = 0;
      for (let index = end - 1; index >= first; index--) {
        const value = padded[index] ?? 0;
        if (value > most) most = value;
        backward[index] = most;
      }
    }
    for (let index = 0; index < length; index++) {
      const [before, after] = [backward[index] ?? 0, forward[index + 2 * radius] ?? 0];
      to[start + index * step] = before > after ? before : after;
    }
  }
}
