/** Adds the files of a model to the installed ones. A model is there completely or not at all. */
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeModel } from './describe-model.js';
import { MANIFEST_NAME, sha256Of, type ModelManifest } from './model-manifest.js';
import { inUnfinishedFolder } from './unfinished-folder.js';

/** Replaces a model of the same name. @throws an Error that says what is wrong with the files. */
export async function addModel(modelsFolder: string, name: string, source: string): Promise<ModelManifest> {
  const { paths, ...described } = describeModel(source);
  // Folders with a dot are never listed: they have no manifest until they are complete.
  return inUnfinishedFolder(modelsFolder, '.adding-', async (unfinished) => {
    const files: Record<string, string> = {};
    for (const path of paths) {
      const target = join(unfinished, path);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(source, path), target);
      files[path] = await sha256Of(target);
    }
    const manifest: ModelManifest = { name, ...described, files };
    writeFileSync(join(unfinished, MANIFEST_NAME), `${JSON.stringify(manifest, undefined, 2)}\n`);
    const folder = join(modelsFolder, name);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    return manifest;
  });
}
