/**
 * Names of content types, and the kind of document that each contains. This file imports no engine, so that sniffing,
 * routing and the parent side of the sandbox can use it cheaply.
 */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'odp'
  | 'ods'
  | 'eml'
  | 'msg'
  | 'epub'
  | 'ipynb'
  | 'rtf'
  | 'image'
  | 'audio'
  | 'result'
  | 'html'
  | 'csv'
  | 'markdown'
  | 'text';

/** The result of an extractor outside of Kiln. Only the worker gives files this type. */
export const RESULT_TYPE = 'application/vnd.kiln.extraction-result';

const kinds: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'docx',
  'application/vnd.ms-word.document.macroenabled.12': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'pptx',
  'application/vnd.openxmlformats-officedocument.presentationml.template': 'pptx',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': 'pptx',
  'application/vnd.ms-powerpoint.slideshow.macroenabled.12': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xlsx',
  'application/vnd.ms-excel.sheet.macroenabled.12': 'xlsx',
  'application/vnd.ms-excel.template.macroenabled.12': 'xlsx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ods',
  'message/rfc822': 'eml',
  'application/vnd.ms-outlook': 'msg',
  'application/epub+zip': 'epub',
  'application/x-ipynb+json': 'ipynb',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/tiff': 'image',
  'image/bmp': 'image',
  'image/heic': 'image',
  'image/heif': 'image',
  'image/avif': 'image',
  'image/svg+xml': 'image',
  'audio/mpeg': 'audio',
  'audio/mp3': 'audio',
  'audio/wav': 'audio',
  'audio/x-wav': 'audio',
  'audio/vnd.wave': 'audio',
  'audio/wave': 'audio',
  'audio/flac': 'audio',
  'audio/x-flac': 'audio',
  'audio/ogg': 'audio',
  'audio/opus': 'audio',
  'audio/aac': 'audio',
  'audio/mp4': 'audio',
  'audio/x-m4a': 'audio',
  'audio/m4a': 'audio',
  'audio/aiff': 'audio',
  'audio/x-aiff': 'audio',
  'audio/webm': 'audio',
  'audio/x-ms-wma': 'audio',
  [RESULT_TYPE]: 'result',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

/** Types outside of `text/` whose content is text. */
const textualApplications = new Set([
  'application/json',
  'application/ld+json',
  'application/x-ndjson',
  'application/jsonl',
  'application/xml',
  'application/javascript',
  'application/ecmascript',
  'application/typescript',
  'application/x-sh',
  'application/x-httpd-php',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/sql',
  'application/graphql',
  'application/x-tex',
  'application/x-latex',
  'application/x-subrip',
]);

/** `Text/HTML; charset=UTF-8` → `text/html`. */
export function bareContentType(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The charset parameter in lower case, or null. */
export function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType)?.[1]?.toLowerCase() ?? null;
}

export function isTextual(contentType: string): boolean {
  const bare = bareContentType(contentType);
  return (
    bare.startsWith('text/') ||
    bare === 'message/rfc822' ||
    textualApplications.has(bare) ||
    /^application\/.+\+(json|xml|yaml)$/.test(bare)
  );
}

/** The kind of document, which selects its engine. Null if no engine of this package reads the type. */
export function documentKindOf(contentType: string): DocumentKind | null {
  const bare = bareContentType(contentType);
  return kinds[bare] ?? (isTextual(bare) ? 'text' : null);
}

/** Whether an engine reads the whole file into memory as text. */
export function isReadAsText(kind: DocumentKind): boolean {
  return kind === 'html' || kind === 'csv' || kind === 'markdown' || kind === 'text';
}
