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

/** The folders of models. If a folder is not a model, the models in it are used. */
export const modelFolders = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => (existsSync(join(folder, MANIFEST_NAME)) ? [folder] : foldersIn(folder)));

function foldersIn(folder: string): string[] {
  const found = installedModels(folder).map((model) => model.folder);
  if (found.length > 0) return found;
  // The model server opens it and fails with the name of the missing file.
  return [folder];
}
