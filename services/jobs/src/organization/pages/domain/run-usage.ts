// What the steps of a job have used. It is stored in the row of the job as soon as it is known: a retry that skips a completed step uses
// nothing more.

/** Whose key paid the provider. Local engines count as managed. */
export type UsedKey = 'managed' | 'organization';

export interface RunUsage {
  extraction?: {
    key: UsedKey;
    /** Null when the type has no pages. */
    page_count: number | null;
    /** Of the markdown, in UTF-16 units. */
    characters: number;
    /** Of audio; null for everything else, and when the engine did not report it. */
    duration_seconds: number | null;
  };
  embedding?: {
    key: UsedKey;
    model: string;
    chunks: number;
    /** As counted by the provider. */
    tokens: number;
  };
}
