// Which outputs of a file nothing points to any more. Keys are `<tenant>/<file>/<job>/<fence>/<name>`.

/** What of a file's objects is pointed to. */
export interface Kept {
  /** The file's current job. */
  jobId: string | null;
  status: string;
  /** The contents of its variants. */
  keys: readonly string[];
}

const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/'));

/**
 * A variant's content stays, of course. Of the current job everything stays until it is completed, since a retry goes on
 * from there; after that what lies beside a variant's content stays, such as the chunks it was made of.
 */
export function isSuperseded(key: string, { jobId, status, keys }: Kept): boolean {
  if (keys.includes(key)) return false;
  if (key.split('/')[2] !== jobId) return true;
  return status === 'completed' && !keys.some((kept) => folderOf(kept) === folderOf(key));
}
