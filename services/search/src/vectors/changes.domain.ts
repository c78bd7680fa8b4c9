// What copies of vectors take over.
import type { FileVersion } from '../text-index/indexed-text.domain.js';

/** The files that changed, each complete. */
export interface Changes {
  /** The copy lacks removals whose records were deleted, so it must be emptied first. */
  isReset: boolean;
  files: FileChange[];
  /** With these changes, the copy is complete up to this generation. */
  generation: number;
}

export interface FileChange extends FileVersion {
  /** The change of the tenant's vectors that wrote these. */
  generation: number;
  facets: string[];
  /** Empty when the vectors were removed. */
  parts: { firstIndex: number; codes: Buffer }[];
}
