/** The specification sets it for every signed URL to an object of a connected bucket. */
export const SIGNED_URL_SECONDS = 3_600;
