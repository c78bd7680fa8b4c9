// Decides which objects of a file no variant names any more. Keys are `<tenant>/<file>/<job>/<fence>/<name>`.

/** The objects that a file still names. */
export interface Kept {
  /** The file's current job. */
  jobId: string | null;
  status: string;
  /** Keys of the objects that hold its variants; a small variant has none. */
  keys: readonly string[];
}

const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/'));

/**
 * Keeps the contents of variants. It keeps everything of the current job until the job is completed, since a retry continues from
 * there. After that it removes objects beside a variant's content, such as the chunks it was made of.
 */
export function isSuperseded(key: string, { jobId, status, keys }: Kept): boolean {
  if (keys.includes(key)) return false;
  if (key.split('/')[2] !== jobId) return true;
  return status === 'completed' && !keys.some((kept) => folderOf(kept) === folderOf(key));
}
