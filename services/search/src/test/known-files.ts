// A files service that knows every file, except those that a spec deletes.
import { passesFilter, type CallContext, type FileDetails, type FileFilter } from '@kiln/contracts';
import type { DetailedFiles } from '../searching/existing-files.adapter.js';

export class KnownFiles {
  readonly deleted = new Set<string>();
  /** What files are, by UUID. A file without details passes no filter. */
  readonly details = new Map<string, FileDetails>();
  calls = 0;

  among(fileIds: readonly string[], _context: CallContext, filter?: FileFilter): Promise<ReadonlySet<string>> {
    this.calls++;
    return Promise.resolve(this.existing(fileIds, filter));
  }

  detailed(
    fileIds: ReadonlySet<string>,
    _metadataBytesMax: number,
    _context: CallContext,
    filter?: FileFilter,
  ): Promise<DetailedFiles> {
    this.calls++;
    const existing = this.existing([...fileIds], filter);
    return Promise.resolve({ existing, details: new Map([...this.details].filter(([id]) => existing.has(id))) });
  }

  private existing(fileIds: readonly string[], filter: FileFilter | undefined): ReadonlySet<string> {
    return new Set(fileIds.filter((id) => !this.deleted.has(id) && (!filter || this.passes(id, filter))));
  }

  private passes(fileId: string, filter: FileFilter): boolean {
    const details = this.details.get(fileId);
    return !!details && passesFilter({ status: 'completed', ...details, metadata: details.metadata ?? {} }, filter);
  }
}
