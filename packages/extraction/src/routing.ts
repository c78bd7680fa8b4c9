import { bareContentType, documentKindOf, isReadAsText, isTextual } from '@kiln/file-types/content-type';

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
 * The default routing table: the extraction provider of a content type if neither the request nor the organization chooses
 * one. Null for types that cannot be extracted: video, archives, unknown binaries.
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

/** Whether the type is text already. A document engine could only lose information. */
export function needsNoEngine(contentType: string): boolean {
  const bare = bareContentType(contentType);
  return isTextual(bare) && bare !== 'text/html' && bare !== 'application/xhtml+xml';
}

/** Whether the length of the file is about that of its text. An e-mail is text, too, but most of it can be attached files. */
export function isItsOwnText(contentType: string): boolean {
  const kind = documentKindOf(contentType);
  return needsNoEngine(contentType) && kind !== null && isReadAsText(kind);
}

/** A rule of an organization. `content_type` is exact, or a prefix with `*` at its end. */
export interface RoutingRule {
  content_type: string;
  provider: ExtractionProvider;
}

/** Returns the matching rule: an exact type before wildcards, a longer wildcard before a shorter one. Null when none matches. */
export function ruledProvider(contentType: string, rules: readonly RoutingRule[]): ExtractionProvider | null {
  const bare = bareContentType(contentType);
  let best: { rule: RoutingRule; rank: number } | null = null;
  for (const rule of rules) {
    const rank = rankOf(rule.content_type.toLowerCase(), bare);
    if (rank > (best?.rank ?? -1)) best = { rule, rank };
  }
  return best?.rule.provider ?? null;
}

/** -1 when the pattern does not match. */
function rankOf(pattern: string, bare: string): number {
  if (pattern === bare) return Infinity;
  if (pattern === '*/*') return 0;
  return pattern.endsWith('*') && bare.startsWith(pattern.slice(0, -1)) ? pattern.length : -1;
}

/** Returns the choice of the request, otherwise that of the organization, otherwise the default. */
export function routeProvider(
  contentType: string,
  choice: { requested?: ExtractionProvider | undefined; ruled?: ExtractionProvider | null },
): ExtractionProvider | null {
  return choice.requested ?? choice.ruled ?? providerFor(contentType);
}
