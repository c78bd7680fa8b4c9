// A picture for runs, and the size of what they make of it.

/** A black PNG of 1200 × 600 pixels, which its EXIF properties say to rotate: it is shown as 600 × 1200. */
export const TURNED_PNG = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAABLAAAAJYAQAAAABanSK3AAAAGmVYSWZJSSoACAAAAAEAEgEDAAEAAAAGAAAAAAAAALdIESkAAABv',
    'SURBVHja7cGBAAAAAMOg+VNf4QBVAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAK8BYfcAAXYds4EAAAAASUVORK5CYII=',
  ].join(''),
  'base64',
);

/** Width and height of a WebP image without transparency (RFC 6386, 9.1, in RFC 9649, 2.5). */
export function webpSize(image: Buffer): [width: number, height: number] {
  if (image.toString('latin1', 8, 16) !== 'WEBPVP8 ') throw new Error('not a WebP image without transparency');
  return [image.readUInt16LE(26) & 0x3fff, image.readUInt16LE(28) & 0x3fff];
}
