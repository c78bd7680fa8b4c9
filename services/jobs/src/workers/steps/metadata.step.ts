// What the extractor learned about the document, as a variant.
import { committedKey, OutputStore, wants } from '../output-store.js';
import type { RunContext } from '../run-context.js';
import type { Extracted } from './extract.step.js';

const CONTENT_TYPE = 'application/json';

export class MetadataStep {
  constructor(private readonly outputs: OutputStore) {}

  async execute(context: RunContext, extracted: Extracted): Promise<void> {
    if (!wants(context, 'metadata') || committedKey(context, 'metadata') !== null) return;
    const content = JSON.stringify(extracted.metadata);
    const stored = await this.outputs.write(context, 'metadata.json', content, CONTENT_TYPE);
    await this.outputs.commitVariant(context, {
      type: 'metadata',
      contentType: CONTENT_TYPE,
      stored,
      provider: extracted.provider,
    });
  }
}
