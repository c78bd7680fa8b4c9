// The layout variant: the blocks of the document and where they stand. It is skipped for a document whose text has no places.
import { layoutOf } from '../domain/layout.js';
import type { RunContext } from '../run-context.port.js';
import type { Extracted } from './stored-extraction.service.js';

export async function addLayout({ outputs }: RunContext, { markdown, pages, provider }: Extracted): Promise<void> {
  if (!outputs.wants('layout')) return;
  const layout = layoutOf(markdown, pages);
  const variant = { type: 'layout', content_type: 'application/json', provider } as const;
  if (layout) await outputs.add(variant, 'layout.json', JSON.stringify(layout));
}
