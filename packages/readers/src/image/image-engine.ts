/**
 * Reads the text in an image, and what the image says about itself: its size, and the properties that cameras and programs write (EXIF,
 * IPTC). The markdown says when no text was found, or why none was looked for. Where a photo was taken is left out: people who share a photo rarely know that it says so.
 */
import { open } from 'node:fs/promises';
import exifr from 'exifr';
import { imageSize } from 'image-size';
import type { StatedProperties } from '../extractor.js';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { RecognitionFault } from '@kiln/ocr/recognition-fault';
import { cleanText } from '@kiln/pdf/clean-text';
import type { Engine, EngineInput } from '../engine.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { PictureDamage } from '@kiln/ocr/picture-damage';

/** Properties stand at the beginning of a file, or behind the first picture of several. */
const readBytesMax = 64 * 1024 * 1024;
const textCharactersMax = 1000;
/** The blocks that are read. XMP can hold the place, in many forms. */
const exifOptions = {
  tiff: true,
  exif: true,
  iptc: true,
  gps: false,
  xmp: false,
  icc: false,
  ihdr: false,
  jfif: false,
  interop: false,
};
const textDetails: Readonly<Record<string, string>> = {
  camera_make: 'Make',
  camera_model: 'Model',
  lens: 'LensModel',
  software: 'Software',
  copyright: 'Copyright',
};
const numberDetails: Readonly<Record<string, string>> = {
  exposure_seconds: 'ExposureTime',
  f_number: 'FNumber',
  iso: 'ISO',
  focal_length_millimeters: 'FocalLength',
};

const formatNames: Readonly<Record<string, string>> = { jpg: 'JPEG', webp: 'WebP', heic: 'HEIC' };

type Properties = Readonly<Record<string, unknown>>;

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
    pages: null,
    pageCount: null,
    ...stated,
    title: stated.title ?? input.filename,
    isDescription: found.text === null,
    details: { ...stated.details, ...(found.text === null ? {} : { ocr_pages: found.pages }) },
  };
};

export interface ReadImage extends StatedProperties {
  width: number;
  height: number;
  /** As `image-size` names the format. */
  type: string | undefined;
  description: string | null;
}

/** All but the picture. @throws Error for a file that is no image. */
export async function readImage(input: EngineInput): Promise<ReadImage> {
  const bytes = await readBeginning(input);
  const { width, height, type, orientation, images } = imageSize(bytes);
  const properties = await readProperties(bytes);
  const description = text(properties['ImageDescription']) ?? text(properties['Caption']);
  return {
    width,
    height,
    type,
    description,
    title: text(properties['ObjectName']) ?? text(properties['Headline']),
    author: text(properties['Artist']) ?? text(properties['Byline']),
    language: null,
    details: {
      format: type ?? null,
      width,
      height,
      ...(orientation === undefined ? {} : { orientation }),
      ...(images === undefined || images.length < 2 ? {} : { image_count: images.length }),
      ...(description === null ? {} : { description }),
      ...keywordsOf(properties),
      ...takenAt(properties),
      ...modifiedAt(properties),
      ...named(textDetails, properties, text),
      ...named(numberDetails, properties, number),
    },
  };
}

type FoundText = { text: string; pages: number } | { text: null; reason: string };

async function findText(
  input: EngineInput,
  { width, height, type = '' }: Pick<ReturnType<typeof imageSize>, 'width' | 'height' | 'type'>,
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
    const { text, pages } = await readImageText(input, type === 'tiff');
    return text === '' ? { text: null, reason: 'No text was found in this image.' } : { text, pages };
  } catch (error) {
    // Other programs may show it, and its properties are of use.
    if (error instanceof PictureDamage)
      return { text: null, reason: 'The text in this image was not read: its picture is damaged.' };
    if (error instanceof RecognitionFault)
      return { text: null, reason: 'The text in this image was not read: recognition failed on it.' };
    throw error;
  }
}

async function readBeginning({ path, bytes }: EngineInput): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(Math.min(bytes, readBytesMax));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Empty for a format that has none, and for damaged ones: the picture can be shown all the same. */
async function readProperties(bytes: Buffer): Promise<Properties> {
  try {
    const found: unknown = await exifr.parse(bytes, exifOptions);
    return typeof found === 'object' && found !== null ? (found as Properties) : {};
  } catch {
    return {};
  }
}

/** Cameras write the local time, without a zone. */
function takenAt(properties: Properties): { taken_at?: string } {
  const stated = properties['DateTimeOriginal'] ?? properties['CreateDate'];
  if (!(stated instanceof Date) || Number.isNaN(stated.getTime())) return {};
  return { taken_at: localTime(stated) };
}

function modifiedAt({ ModifyDate: stated }: Properties): { modified?: string } {
  return stated instanceof Date && !Number.isNaN(stated.getTime()) ? { modified: localTime(stated) } : {};
}

function localTime(stated: Date): string {
  return new Date(stated.getTime() - stated.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** IPTC has one field for each keyword, or a single one. */
function keywordsOf({ Keywords: stated }: Properties): { keywords?: string } {
  const joined = text(Array.isArray(stated) ? stated.filter((word) => typeof word === 'string').join(', ') : stated);
  return joined === null ? {} : { keywords: joined };
}

function named<Value>(
  names: Readonly<Record<string, string>>,
  properties: Properties,
  read: (value: unknown) => Value | null,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, tag]) => {
      const value = read(properties[tag]);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const cleaned = cleanText(value).replace(/\s+/g, ' ').trim().slice(0, textCharactersMax).toWellFormed();
  return cleaned === '' ? null : cleaned;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
