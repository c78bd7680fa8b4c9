// The words of the markdown that runs have made, for the `search` of a list. They are read before the transaction begins.
import { conflict, type CallContext, type MadeVariant } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE } from '../config.js';
import type { FileWords } from './made-variants.store.js';
import { readWords, wordsOfText } from './read-words.js';

@Injectable()
export class VariantWords {
  constructor(@Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'get'>) {}

  /** Throws CONFLICT when the object of a variant does not exist, and UNAVAILABLE. */
  async of(
    runs: readonly { fileId: string; made: readonly MadeVariant[] }[],
    { deadlineAt }: Pick<CallContext, 'deadlineAt'>,
  ): Promise<FileWords[]> {
    const signal = AbortSignal.timeout(Math.max(1, deadlineAt - Date.now()));
    const found = runs.map(async ({ fileId, made }) => {
      const markdown = made.find(({ type }) => type === 'markdown');
      return markdown ? { fileId, words: await this.read(markdown, signal) } : null;
    });
    return (await Promise.all(found)).filter((words) => words !== null);
  }

  private async read({ content, content_key: key, size_bytes: sizeBytes }: MadeVariant, signal: AbortSignal) {
    if (content !== null) return wordsOfText(content);
    const words = key === null ? null : await readWords(this.objects, key, { sizeBytes, signal });
    if (words === null) throw conflict('The content of the variant is not in storage.');
    return words;
  }
}
