// The registry of the package `mime` changes with its versions. What callers see of common formats must not.
import { describe, expect, it } from '@jest/globals';
import { documentKindOf, isTextual } from './content-type.js';
import { extensionOfType, typeOfExtension } from './file-extensions.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

describe('the content type of an extension', () => {
  it.each([
    ['pdf', 'application/pdf'],
    ['docx', `${OFFICE}.wordprocessingml.document`],
    ['pptx', `${OFFICE}.presentationml.presentation`],
    ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
    ['doc', 'application/msword'],
    ['ppt', 'application/vnd.ms-powerpoint'],
    ['xls', 'application/vnd.ms-excel'],
    ['odt', 'application/vnd.oasis.opendocument.text'],
    ['rtf', 'application/rtf'],
    ['txt', 'text/plain'],
    ['log', 'text/plain'],
    ['md', 'text/markdown'],
    ['html', 'text/html'],
    ['htm', 'text/html'],
    ['xhtml', 'application/xhtml+xml'],
    ['xml', 'application/xml'],
    ['csv', 'text/csv'],
    ['tsv', 'text/tab-separated-values'],
    ['json', 'application/json'],
    ['eml', 'message/rfc822'],
    ['msg', 'application/vnd.ms-outlook'],
    ['epub', 'application/epub+zip'],
    ['ipynb', 'application/x-ipynb+json'],
    ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
    ['odp', 'application/vnd.oasis.opendocument.presentation'],
    ['js', 'text/javascript'],
    ['css', 'text/css'],
    ['sql', 'application/sql'],
    ['svg', 'image/svg+xml'],
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['heic', 'image/heic'],
    ['bmp', 'image/bmp'],
    ['tif', 'image/tiff'],
    ['mp3', 'audio/mpeg'],
    ['m4a', 'audio/mp4'],
    ['wav', 'audio/wav'],
    ['ogg', 'audio/ogg'],
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
    ['zip', 'application/zip'],
    ['gz', 'application/gzip'],
  ])('%s is %s', (extension, contentType) => {
    expect(typeOfExtension(`a.${extension}`)).toBe(contentType);
    expect(typeOfExtension(`a.${extension.toUpperCase()}`)).toBe(contentType);
  });

  it('of source code and data in text is one that is read as text', () => {
    const extensions = [
      'ts',
      'tsx',
      'rs',
      'py',
      'go',
      'java',
      'c',
      'h',
      'cpp',
      'cs',
      'rb',
      'php',
      'pl',
      'sh',
      'kt',
      'lua',
    ];
    for (const extension of [
      ...extensions,
      'jsonl',
      'ndjson',
      'yaml',
      'yml',
      'toml',
      'sql',
      'tex',
      'srt',
      'vtt',
      'ini',
    ]) {
      const type = typeOfExtension(`a.${extension}`) ?? '';
      expect([extension, type, isTextual(type)]).toStrictEqual([extension, type, true]);
    }
    expect(documentKindOf(typeOfExtension('page.mdx') ?? '')).toBe('markdown');
  });

  it('is unknown for a name without one, for a hidden file, and for an extension that no one registered', () => {
    for (const name of ['README', 'text', 'pdf', '.env', '.gitignore', 'a.', 'a.nosuchformat', 'a.constructor']) {
      expect([name, typeOfExtension(name)]).toStrictEqual([name, null]);
    }
  });
});

describe('the extension of a content type', () => {
  it.each([
    ['application/pdf', 'pdf'],
    [`${OFFICE}.wordprocessingml.document`, 'docx'],
    ['Text/HTML; charset=UTF-8', 'html'],
    ['text/markdown', 'md'],
    ['text/plain', 'txt'],
    ['image/jpeg', 'jpg'],
    ['image/tiff', 'tiff'],
    ['audio/mpeg', 'mp3'],
    ['audio/mp4', 'm4a'],
    ['audio/x-m4a', 'm4a'],
    ['audio/wav', 'wav'],
    ['audio/x-wav', 'wav'],
    ['audio/vnd.wave', 'wav'],
    ['audio/webm', 'webm'],
    ['audio/ogg', 'ogg'],
    ['audio/opus', 'opus'],
    ['audio/flac', 'flac'],
    ['audio/x-flac', 'flac'],
    ['audio/aac', 'aac'],
  ])('%s is %s', (contentType, extension) => {
    expect(extensionOfType(contentType)).toBe(extension);
  });

  it('is unknown for an unknown type, and for bytes without a type', () => {
    for (const type of ['application/x-custom', 'application/octet-stream', '']) {
      expect([type, extensionOfType(type)]).toStrictEqual([type, null]);
    }
  });
});
