import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a temporary folder among the models for `work`. Removes it when `work` ends or the process exits. */
export async function inUnfinishedFolder<Result>(
  modelsFolder: string,
  prefix: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(modelsFolder, { recursive: true });
  const folder = mkdtempSync(join(modelsFolder, prefix));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
