/** A picture with one byte for each pixel, where 0 is black. Rows run from top to bottom, without padding. */
export interface GreyBitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Rotates a picture clockwise. */
export function turnedBitmap(bitmap: GreyBitmap, degrees: 90 | 180 | 270): GreyBitmap {
  const { width, height, pixels } = bitmap;
  if (degrees === 180) return { width, height, pixels: pixels.toReversed() };
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const [first, step] = degrees === 90 ? [height - 1 - y, height] : [(width - 1) * height + y, -height];
    for (let x = 0; x < width; x++) turned[first + x * step] = pixels[row + x] ?? 0;
  }
  return { width: height, height: width, pixels: turned };
}
