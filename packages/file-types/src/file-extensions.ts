// Maps the extension of a file to a content type, and back. The package `mime` has the registry. The entries below correct it.
import mime from 'mime';
import { bareContentType } from './content-type.js';

/**
 * Extensions that the registry lacks or takes for another format: `.ts` for MPEG, `.rs` for XML. Source code and data
 * must stay readable as text.
 */
const ownTypes: Readonly<Record<string, string>> = {
  bash: 'application/x-sh',
  cc: 'text/x-c++',
  cpp: 'text/x-c++',
  cs: 'text/x-csharp',
  flac: 'audio/flac',
  go: 'text/x-go',
  ipynb: 'application/x-ipynb+json',
  java: 'text/x-java',
  jsonl: 'application/x-ndjson',
  kt: 'text/x-kotlin',
  mdx: 'text/markdown',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  pl: 'text/x-perl',
  psv: 'text/csv',
  py: 'text/x-python',
  r: 'text/x-r',
  rb: 'text/x-ruby',
  rs: 'text/x-rust',
  rst: 'text/x-rst',
  scala: 'text/x-scala',
  swift: 'text/x-swift',
  tab: 'text/tab-separated-values',
  ts: 'application/typescript',
  tsx: 'application/typescript',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Types for which the registry has no extension, or one that few programs recognize: `mpga`, `adts`. */
const ownExtensions: Readonly<Record<string, string>> = {
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/vnd.wave': 'wav',
  'audio/webm': 'webm',
  'image/tiff': 'tiff',
};

/** Null when the extension is unknown. */
export function typeOfExtension(filename: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(ownTypes, extension)) return ownTypes[extension] ?? null;
  return mime.getType(extension);
}

/** The extension without the dot. Null if the type is unknown, or is too general. */
export function extensionOfType(contentType: string): string | null {
  const bare = bareContentType(contentType);
  if (bare === '' || bare === 'application/octet-stream') return null;
  if (Object.hasOwn(ownExtensions, bare)) return ownExtensions[bare] ?? null;
  return mime.getExtension(bare);
}
