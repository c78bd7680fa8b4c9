// Shared by the integration specs.
import { FileContentStore } from '../replacements/file-content.store.js';
import { ReceiveReplacement } from '../replacements/receive-replacement.usecase.js';
import { RegisterReplacement } from '../replacements/register-replacement.usecase.js';
import { ReplaceContent } from '../replacements/replace-content.usecase.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import type { Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import type { FileStore } from '../files/file.store.js';
import type { ReplacementStore } from '../replacements/replacement.store.js';
import type { ArrivalStore } from '../uploads/arrival.store.js';

interface Parts {
  database: Database;
  files: FileStore;
  replacements: ReplacementStore;
  arrivals: ArrivalStore;
  objects: ObjectStore;
}

/** The use cases of replacements, as the module wires them. */
export function replacementParts({ database, files, replacements, arrivals, objects }: Parts, uploadBytesMax: number) {
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
