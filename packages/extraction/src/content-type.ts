/**
 * Names of content types, and which of them hold a document this package can read. Loads nothing: sniffing, routing
 * and the sandbox's front share it without pulling in an engine.
 */
export type DocumentKind = 'pdf' | 'docx' | 'html' | 'csv' | 'markdown' | 'text';

const kinds: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'docx',
  'application/vnd.ms-word.document.macroenabled.12': 'docx',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

/** Types outside `text/` whose bytes are text all the same. */
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

/** The charset parameter, lower-cased, or null. */
export function charsetOf(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([\w.:-]+)"?/i.exec(contentType)?.[1]?.toLowerCase() ?? null;
}

/** Whether files of this type are text: readable without a decoder other than a character set. */
export function isTextual(contentType: string): boolean {
  const bare = bareContentType(contentType);
  return (
    bare.startsWith('text/') ||
    bare === 'message/rfc822' ||
    textualApplications.has(bare) ||
    /^application\/.+\+(json|xml|yaml)$/.test(bare)
  );
}

/** Which engine reads the type, or null when none here does. */
export function documentKindOf(contentType: string): DocumentKind | null {
  const bare = bareContentType(contentType);
  return kinds[bare] ?? (isTextual(bare) ? 'text' : null);
}
