// Files that a ranking leaves out. A merged file is known by its first number, which is never reused, so that millions of files take little
// memory. A file of the tail or of the remote index is known by its id.
import { NumberSet } from '../postings/domain/number-set.js';

export interface RankedFile {
  fileId: string;
  /** The number of the file's first passage. Null while the file is not merged, and for a file of the remote index. */
  number: number | null;
}

export class SkippedFiles {
  private readonly numbers = new NumberSet();
  /** Files without a number. */
  readonly unmergedIds = new Set<string>();

  add({ fileId, number }: RankedFile): void {
    if (number === null) this.unmergedIds.add(fileId);
    else this.numbers.addRange(number, 1);
  }

  /** `unmergedId` is the id of a file of the tail, whose number is temporary. */
  has(number: number, unmergedId: string | undefined): boolean {
    return unmergedId === undefined ? this.numbers.has(number) : this.unmergedIds.has(unmergedId);
  }
}
