import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { droppedFiles } from './dropped-files.js';

const FILE = new File([], 'a.txt');

class FileEntry {
  constructor(readonly fullPath: string) {}
  file(resolve: (file: File) => void): void {
    resolve(FILE);
  }
}

/** Returns its entries in parts, as browsers do. */
class FolderEntry {
  constructor(private readonly parts: (FileEntry | FolderEntry)[][]) {}
  createReader() {
    const parts = [...this.parts];
    return { readEntries: (resolve: (entries: unknown[]) => void) => resolve(parts.shift() ?? []) };
  }
}

const dropOf = (...entries: (FileEntry | FolderEntry | null)[]) =>
  entries.map((entry) => ({ webkitGetAsEntry: () => entry })) as unknown as DataTransferItemList;

beforeAll(() => {
  Object.assign(globalThis, { FileSystemFileEntry: FileEntry, FileSystemDirectoryEntry: FolderEntry });
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'FileSystemFileEntry');
  Reflect.deleteProperty(globalThis, 'FileSystemDirectoryEntry');
});

it('a drop has the files of all folders, each with its path', async () => {
  const inner = new FolderEntry([[new FileEntry('/letters/2026/b.txt')], [new FileEntry('/letters/2026/c.txt')]]);
  const letters = new FolderEntry([[new FileEntry('/letters/a.txt'), inner], [new FileEntry('/letters/d.txt')]]);
  const files = await droppedFiles(dropOf(letters, null, new FileEntry('/e.txt')));
  expect(files.map(({ path }) => path)).toStrictEqual([
    'letters/a.txt',
    'letters/2026/b.txt',
    'letters/2026/c.txt',
    'letters/d.txt',
    'e.txt',
  ]);
});

it('a drop can have more files than a call of a function can have arguments', async () => {
  const count = 150_000;
  const folder = new FolderEntry([Array.from({ length: count }, (_, index) => new FileEntry(`/all/${index}.txt`))]);
  expect(await droppedFiles(dropOf(new FolderEntry([[folder]])))).toHaveLength(count);
});
