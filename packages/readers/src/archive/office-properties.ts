import {
  applicationPropertiesPart,
  type CoreProperties,
  corePropertiesPart,
  readCoreProperties,
} from './core-properties.js';
import type { ZipArchive } from './zip-archive.js';

/** The properties that an Office file states. */
export async function readOfficeProperties(archive: ZipArchive): Promise<CoreProperties> {
  const core = await archive.text(corePropertiesPart);
  return readCoreProperties(core, await archive.text(applicationPropertiesPart));
}
