// The metadata variant: what the extractor found out about the document.
import type { RunContext } from '../run-context.port.js';
import type { Extracted } from './stored-extraction.service.js';

export async function addMetadata({ outputs }: RunContext, { metadata, provider }: Extracted): Promise<void> {
  if (!outputs.wants('metadata')) return;
  const variant = { type: 'metadata', content_type: 'application/json', provider } as const;
  await outputs.add(variant, 'metadata.json', JSON.stringify(metadata));
}
