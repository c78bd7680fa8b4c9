import { bareContentType } from '../content-type.js';

/** Extensions by which engines recognize formats whose media type they do not know. */
const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/aac': 'aac',
};

/** The filename that is sent to a remote engine. It is derived from the type, because the owner's filename is private. */
export function uploadName(filename: string, contentType: string): string {
  const known = extensions[bareContentType(contentType)];
  const given = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase();
  const extension = known ?? given;
  return extension === undefined ? 'source' : `source.${extension}`;
}
