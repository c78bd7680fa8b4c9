// Shared by the integration specs.
import { FileContentStore } from '../replacements/file-content.store.js';
import { ReceiveReplacement } from '../replacements/receive-replacement.usecase.js';
import { RegisterReplacement } from '../replacements/register-replacement.usecase.js';
import { ReplaceContent } from '../replacements/replace-content.usecase.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import type { Parts } from './files-harness.js';

/** The use cases of replacements, as the module wires them. */
export function replacementParts(
  {
    database,
    files,
    replacements,
    arrivals,
    objects,
  }: Pick<Parts, 'database' | 'files' | 'replacements' | 'arrivals' | 'objects'>,
  uploadBytesMax: number,
) {
  const contents = new FileContentStore();
  const replaceContent = new ReplaceContent(database, new FileUpdateStore(), contents);
  return {
    replaceContent,
    registerReplacement: new RegisterReplacement(database, contents, replacements),
    receiveReplacement: new ReceiveReplacement(
      database,
      files,
      replacements,
      replaceContent,
      arrivals,
      objects,
      uploadBytesMax,
    ),
  };
}
