/** The version of an object for automatic processing, of a row with `etag` and `size_bytes`. The index `nodes_selectable` has this expression. */
export const versionOf = (row: string): string => `coalesce(${row}.etag, '') || '/' || ${row}.size_bytes::text`;
