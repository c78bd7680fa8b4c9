// A file has at most one variant of each type. variant-content.store reads their contents, made-variants.store writes them.
import type { VariantEntity } from './variant.entity.js';

export type VariantRow = Omit<VariantEntity, 'tenant_id' | 'file_id' | 'job_id' | 'content'>;
