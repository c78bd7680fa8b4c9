/**
 * Loads libvips on first use, with the formats of pictures only. It caches nothing between documents. One thread is
 * enough, because a worker runs several children.
 */
import type Sharp from 'sharp';

const formats = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif', 'Svg'];
let loading: Promise<typeof Sharp> | null = null;

/** The permissions apply to the whole process. They are set each time, because other code may have changed them. */
export async function loadSharp(): Promise<typeof Sharp> {
  loading ??= load();
  const sharp = await loading;
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) });
  return sharp;
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  return sharp;
}
