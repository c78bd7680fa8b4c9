/**
 * Reads what an image states about itself: its size, and the properties that cameras and programs write (EXIF, IPTC). The place where a photo
 * was taken is left out, because people who share a photo rarely know that the file holds it.
 */
import { open } from 'node:fs/promises';
import exifr from 'exifr';
import { imageSize } from 'image-size';
import { cleanText } from '@kiln/pdf/clean-text';
import type { EngineInput } from '../engine.js';
import type { StatedProperties } from '../extractor.js';

/** Properties stand at the beginning of a file, or behind the first picture of several. */
const readBytesMax = 64 * 1024 * 1024;
const textCharactersMax = 1000;
/** The blocks that are read. XMP is left out, because it can hold the place in many forms. */
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

type Properties = Readonly<Record<string, unknown>>;

export interface ReadImage extends StatedProperties {
  width: number;
  height: number;
  /** The format by the name that `image-size` gives it. */
  type: string | undefined;
  description: string | null;
}

/** Reads everything but the picture. @throws Error for a file that is no image. */
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

/** Empty for a format without properties, and for damaged properties: the picture can still be shown. */
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
