// A files service that knows every file, except those that a spec deletes.
import type { FileDetails } from '@kiln/contracts';
import type { DetailedFiles } from '../searching/existing-files.adapter.js';

export class KnownFiles {
  readonly deleted = new Set<string>();
  readonly details = new Map<string, FileDetails>();
  calls = 0;

  among(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    this.calls++;
    return Promise.resolve(this.existing(fileIds));
  }

  detailed(fileIds: ReadonlySet<string>): Promise<DetailedFiles> {
    this.calls++;
    const existing = this.existing([...fileIds]);
    return Promise.resolve({ existing, details: new Map([...this.details].filter(([id]) => existing.has(id))) });
  }

  private existing(fileIds: readonly string[]): ReadonlySet<string> {
    return new Set(fileIds.filter((id) => !this.deleted.has(id)));
  }
}
