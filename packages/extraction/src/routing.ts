import { bareContentType, isTextual } from './content-type.js';

export type ExtractionProvider = 'document_extractor' | 'image_extractor' | 'audio_extractor';

const documentApplications = new Set([
  'application/pdf',
  'application/x-pdf',
  'application/msword',
  'application/rtf',
  'application/epub+zip',
  'application/x-mobipocket-ebook',
  'application/vnd.apple.pages',
  'application/vnd.apple.numbers',
  'application/vnd.apple.keynote',
  'application/vnd.visio',
  'application/vnd.ms-outlook',
  'application/x-cfb',
  'application/csv',
]);
const documentFamilies = [
  'application/vnd.openxmlformats-officedocument.',
  'application/vnd.oasis.opendocument.',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-word',
];

/**
 * The default routing table: which extraction provider a content type goes to when neither the request nor the
 * organization says otherwise. Null (video, archives, unknown binaries) means the file cannot be extracted.
 */
export function providerFor(contentType: string): ExtractionProvider | null {
  const bare = bareContentType(contentType);
  if (bare === 'image/svg+xml') return 'image_extractor';
  if (isTextual(bare) || documentApplications.has(bare)) return 'document_extractor';
  if (documentFamilies.some((family) => bare.startsWith(family))) return 'document_extractor';
  if (bare.startsWith('image/')) return 'image_extractor';
  if (bare.startsWith('audio/')) return 'audio_extractor';
  return null;
}
