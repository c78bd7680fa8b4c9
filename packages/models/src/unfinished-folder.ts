import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Gives `work` a new folder among the models for what is not complete. It is removed at the end, and when the process exits before. */
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
