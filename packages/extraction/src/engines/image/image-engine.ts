/**
 * Reads what an image says about itself: its size, and the properties that cameras and programs write (EXIF, IPTC). The text in the
 * picture is not read, and the markdown says so. Where a photo was taken is left out: people who share a photo rarely know that it says so.
 */
import { open } from 'node:fs/promises';
import exifr from 'exifr';
import { imageSize } from 'image-size';
import { cleanText } from '../../text/decode-text.js';
import type { Engine, EngineInput } from '../engine.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';

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
  const bytes = await readBeginning(input);
  const { width, height, type, orientation, images } = imageSize(bytes);
  const properties = await readProperties(bytes);
  const description = text(properties['ImageDescription']) ?? text(properties['Caption']);
  const format = formatNames[type ?? ''] ?? (type ?? '').toUpperCase();
  const blocks = [
    element('p', [`${input.filename}: ${format} image, ${width} × ${height} pixels.`]),
    ...(description === null ? [] : [element('p', [description])]),
    element('p', [element('em', ['The text in this image was not read: that needs an image engine.'])]),
  ];
  const document = documentOf(blocks, input.filename);
  return {
    markdown: toMarkdown(document, input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: text(properties['ObjectName']) ?? text(properties['Headline']) ?? input.filename,
    author: text(properties['Artist']) ?? text(properties['Byline']),
    language: null,
    isDescription: true,
    details: {
      format: type ?? null,
      width,
      height,
      ...(orientation === undefined ? {} : { orientation }),
      ...(images === undefined || images.length < 2 ? {} : { image_count: images.length }),
      ...(description === null ? {} : { description }),
      ...takenAt(properties),
      ...named(textDetails, properties, text),
      ...named(numberDetails, properties, number),
    },
  };
};

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
  const local = new Date(stated.getTime() - stated.getTimezoneOffset() * 60_000);
  return { taken_at: local.toISOString().slice(0, 19) };
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
