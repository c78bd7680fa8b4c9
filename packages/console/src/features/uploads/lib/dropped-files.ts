// The files of a drop or a file input, with their paths within a folder.
import type { NewFile } from './upload-queue.js';

export const chosenFiles = (files: Iterable<File>): NewFile[] =>
  [...files].map((file) => ({ blob: file, name: file.name, path: file.webkitRelativePath || file.name }));

/** Reads folders to their end. The items are valid only until the event handler returns, so this must be called at once. */
export async function droppedFiles(items: DataTransferItemList): Promise<NewFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<NewFile[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ blob: file, name: file.name, path: entry.fullPath.replace(/^\//, '') }];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const found: NewFile[] = [];
  for (;;) {
    // A reader returns a part of the entries each time, and none at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found;
    // One by one: a call with more than some 100,000 arguments fails.
    for (const child of part) for (const file of await filesOf(child)) found.push(file);
  }
}
