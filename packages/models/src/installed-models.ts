/** The models in a folder: each in a folder of its own, with its name. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_NAME, readManifest, type ModelManifest } from './model-manifest.js';

export interface InstalledModel extends ModelManifest {
  folder: string;
}

/** @throws an Error if a manifest cannot be read. */
export function installedModels(modelsFolder: string): InstalledModel[] {
  if (!existsSync(modelsFolder)) return [];
  const folders = readdirSync(modelsFolder)
    .toSorted()
    .map((name) => join(modelsFolder, name));
  return folders
    .filter((folder) => existsSync(join(folder, MANIFEST_NAME)))
    .map((folder) => ({ ...readManifest(folder), folder }));
}
