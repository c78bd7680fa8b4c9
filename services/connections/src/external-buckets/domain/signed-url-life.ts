/** The specification sets it for signed URLs to objects of connected buckets. Temporary keys may expire earlier. */
export const SIGNED_URL_SECONDS = 3_600;
