import { encodeId, formatTimestamp } from '@kiln/contracts';
import type { VariantRow } from './variant.rows.js';

export function variantSummary(row: Pick<VariantRow, 'id' | 'type' | 'content_type' | 'size_bytes' | 'created_at'>) {
  return {
    id: encodeId('variant', row.id),
    type: row.type,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    created_at: formatTimestamp(row.created_at),
  };
}
