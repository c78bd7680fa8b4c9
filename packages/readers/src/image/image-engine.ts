/** Reads the text in an image. The markdown says when no text was found, or why none was looked for. */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { RecognitionFault } from '@kiln/ocr/recognition-fault';
import type { ImageText } from '@kiln/ocr/image-text';
import type { Engine, EngineInput } from '../engine.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { PictureDamage } from '@kiln/ocr/picture-damage';
import { type ReadImage, readImage } from './image-properties.js';

const formatNames: Readonly<Record<string, string>> = { jpg: 'JPEG', webp: 'WebP', heic: 'HEIC' };

export const extractImage: Engine = async (input) => {
  const { width, height, type, description, ...stated } = await readImage(input);
  const format = formatNames[type ?? ''] ?? (type ?? '').toUpperCase();
  const found = await findText(input, { width, height, type });
  const about = description === null ? [] : [element('p', [description])];
  const blocks =
    found.text === null
      ? [
          element('p', [`${input.filename}: ${format} image, ${width} × ${height} pixels.`]),
          ...about,
          element('p', [element('em', [found.reason])]),
        ]
      : about;
  const written = toMarkdown(documentOf(blocks, input.filename), input.filename, input.limits.outputBytesMax);
  return {
    markdown: [found.text ?? '', written].filter((part) => part !== '').join('\n'),
    pages: found.text === null ? null : found.pages,
    pageCount: null,
    ...stated,
    title: stated.title ?? input.filename,
    isDescription: found.text === null,
    details: { ...stated.details, ...(found.text === null ? {} : countsOf(found)) },
  };
};

type FoundText = ImageText | { text: null; reason: string };

function countsOf({ pages, leftOut }: ImageText): Record<string, number> {
  return { ocr_pages: pages.length - leftOut, ...(leftOut === 0 ? {} : { ocr_pages_left_out: leftOut }) };
}

async function findText(
  input: EngineInput,
  { width, height, type = '' }: Pick<ReadImage, 'width' | 'height' | 'type'>,
): Promise<FoundText> {
  const { decodedFormats, picturePixelsMax, pictureSideMax } = await import('@kiln/ocr/decode-picture');
  if (!decodedFormats.has(type))
    return { text: null, reason: 'The text in this image was not read: that needs an image engine.' };
  if (width * height > picturePixelsMax || Math.max(width, height) > pictureSideMax)
    throw new ExtractionError(
      'file_too_large',
      `"${input.filename}" has ${width} × ${height} pixels; images are read up to ${picturePixelsMax / 1_000_000} million pixels, and ${pictureSideMax} pixels a side. Make it smaller, or split it.`,
    );
  const { readImageText } = await import('@kiln/ocr/image-text');
  try {
    const found = await readImageText(input, type === 'tiff');
    return found.text === '' ? { text: null, reason: 'No text was found in this image.' } : found;
  } catch (error) {
    // Other programs may show the image, and its properties are useful.
    if (error instanceof PictureDamage)
      return { text: null, reason: 'The text in this image was not read: its picture is damaged.' };
    if (error instanceof RecognitionFault)
      return { text: null, reason: 'The text in this image was not read: recognition failed on it.' };
    throw error;
  }
}
