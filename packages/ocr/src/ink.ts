import type { GreyBitmap } from './grey-bitmap.js';

/** The dark parts of a picture: 1 for ink, 0 for paper. */
export interface Ink {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** The ink of a picture with an even background. The threshold separates its two groups of levels best (Otsu 1979). */
export function inkOf({ width, height, pixels }: GreyBitmap): Ink {
  const threshold = otsuThreshold(pixels);
  const ink = new Uint8Array(pixels.length);
  for (let index = 0; index < pixels.length; index++) ink[index] = (pixels[index] ?? 0) <= threshold ? 1 : 0;
  return { width, height, pixels: ink };
}

function otsuThreshold(pixels: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let index = 0; index < pixels.length; index++) {
    const level = pixels[index] ?? 0;
    counts[level] = (counts[level] ?? 0) + 1;
  }
  let total = 0;
  for (let level = 0; level < 256; level++) total += level * (counts[level] ?? 0);
  let [below, sum, best, threshold] = [0, 0, -1, 127];
  for (let level = 0; level < 255; level++) {
    below += counts[level] ?? 0;
    sum += level * (counts[level] ?? 0);
    const above = pixels.length - below;
    if (below === 0 || above === 0) continue;
    const distance = sum / below - (total - sum) / above;
    const between = below * above * distance * distance;
    if (between > best) [best, threshold] = [between, level];
  }
  return threshold;
}
