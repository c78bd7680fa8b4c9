// How many pages a run's work counts for.
import type { ExpectedJob } from '@kiln/contracts';
import { isItsOwnText } from '@kiln/extraction/routing';
import type { RunUsage, UsedKey } from './run-usage.js';

const CHARACTERS_PER_PAGE = 3_000;
const SECONDS_PER_MINUTE = 60;
/** The most pages of one job. A few bytes can declare a recording of centuries; no real file has more pages. */
const PAGES_MAX = 1_000_000;

/** Types whose documents have pages or slides of their own. */
const PAGED = new Set([
  'application/pdf',
  'application/x-pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);

/** Of a page, in hundredths: with the managed key, and with the organization's own. */
const HUNDREDTHS = { managed: 100, organization: 60 } as const;

export interface CountedWork {
  /** With or without parameters. */
  contentType: string | null;
  /** Pages or slides; null when the document has none, or the number is unknown. */
  pageCount: number | null;
  /** The characters of the extracted text. */
  characters: number;
  /** The duration of audio. */
  durationSeconds: number | null;
}

/** A page or slide, an image, a started minute of audio, 3,000 started characters of anything else; at least one, at most `PAGES_MAX`. */
export function pagesOf({ contentType, pageCount, characters, durationSeconds }: CountedWork): number {
  const type = bareType(contentType ?? '');
  if (type.startsWith('image/')) return 1;
  if (type.startsWith('audio/')) return boundedPages((durationSeconds ?? 0) / SECONDS_PER_MINUTE);
  if (PAGED.has(type) && pageCount !== null) return boundedPages(pageCount);
  return boundedPages(characters / CHARACTERS_PER_PAGE);
}

const bareType = (contentType: string) => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const boundedPages = (amount: number) => Math.min(PAGES_MAX, Math.max(1, Math.ceil(amount)));

/** Whether the pages of such a document are counted, and not its characters. */
export const isPaged = (contentType: string): boolean => PAGED.has(bareType(contentType));

/**
 * What a job reserves before its file is read. For plain text it follows from the size, as if each byte were a character: the job releases the
 * difference once its text is read. Any other file reserves one page.
 */
export function expectedHundredths({ content_type: contentType, size_bytes: sizeBytes }: ExpectedJob): number {
  const isText = contentType != null && isItsOwnText(contentType);
  return hundredthsOf(isText && sizeBytes != null ? boundedPages(sizeBytes / CHARACTERS_PER_PAGE) : 1, 'managed');
}

/** What `pages` count for, in hundredths of a page, by the key that processed them. */
export const hundredthsOf = (pages: number, key: UsedKey): number => pages * HUNDREDTHS[key];

/** What a job counts for, in hundredths of a page, from the usage that its run recorded. */
export function hundredthsOfRun(contentType: string | null, extraction: NonNullable<RunUsage['extraction']>): number {
  const { key, page_count: pageCount, characters, duration_seconds: durationSeconds } = extraction;
  return hundredthsOf(pagesOf({ contentType, pageCount, characters, durationSeconds }), key);
}
