import { extensionOfType } from '@kiln/file-types/file-extensions';

/**
 * The filename that is sent to a remote engine. It is derived from the type, because the owner's filename is private. Engines recognize formats
 * by the extension whose content type they do not know.
 */
export function uploadName(filename: string, contentType: string): string {
  const given = /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase();
  const extension = extensionOfType(contentType) ?? given;
  return extension === undefined ? 'source' : `source.${extension}`;
}
