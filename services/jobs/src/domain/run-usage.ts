// What the steps of a job have used, kept with the job from the moment it was used: a retry that finds a step done uses nothing
// more, and whoever counts finds it on the row.

/** Whose account at a provider has paid; engines of this machine are managed ones. */
export type UsedKey = 'managed' | 'organization';

export interface RunUsage {
  extraction?: {
    key: UsedKey;
    /** Null when the type has no pages. */
    page_count: number | null;
    /** Of the markdown, in UTF-16 units. */
    characters: number;
    /** Of audio; null for everything else, and when its engine did not say. */
    duration_seconds: number | null;
  };
  embedding?: {
    key: UsedKey;
    model: string;
    chunks: number;
    /** As the provider counted them. */
    tokens: number;
  };
}
