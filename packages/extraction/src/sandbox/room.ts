/**
 * The folders of one child on the caller's disk, which hold one document at a time. A child in a private root finds them at the same
 * paths: the document, a temporary file system to write to, and data files.
 */
import { chmod, constants, copyFile, mkdir, mkdtemp, realpath, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const freeFilesMin = 16;

export class Room {
  private constructor(readonly path: string) {}

  /** A room in `directory`, which only this user can enter. */
  static async open(directory: string): Promise<Room> {
    const room = new Room(await mkdtemp(join(await realpath(directory), 'kiln-sandbox-')));
    for (const folder of [room.root, room.document, room.work]) {
      await mkdir(folder);
      // Whatever the umask: the child may have another user id.
      await chmod(folder, 0o755);
    }
    return room;
  }

  /** Where a private root is mounted. */
  get root(): string {
    return join(this.path, 'root');
  }

  get document(): string {
    return join(this.path, 'document');
  }

  get sourcePath(): string {
    return join(this.document, 'source');
  }

  /** The only folder that a child can write to. */
  get work(): string {
    return join(this.path, 'work');
  }

  /** Where a private root shows data files. It exists only there. */
  get data(): string {
    return join(this.path, 'data');
  }

  /** Copies the document into the room, so that a child cannot change the original. */
  async place(path: string): Promise<void> {
    await copyFile(path, this.sourcePath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(this.sourcePath, 0o444);
  }

  /** Whether the disk has room for so many bytes of files. Also after the room was removed. */
  async hasSpace(bytes: number): Promise<boolean> {
    const { bavail, bsize, files, ffree } = await statfs(dirname(this.path));
    // Some file systems have no limit of files, and say 0.
    return bavail * bsize >= bytes && (files === 0 || ffree >= freeFilesMin);
  }

  async clear(): Promise<void> {
    await rm(this.sourcePath, { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
