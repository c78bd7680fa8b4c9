/** Converts texts into the numbers of a model's tokens. */
import { Tokenizer } from '@huggingface/tokenizers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOKENIZER, TOKENIZER_CONFIG } from './describe-model.js';

export interface Tokens {
  readonly ids: readonly number[];
  /** Which of two texts each token belongs to: 0 or 1. */
  readonly types: readonly number[];
}

/** A token has at most so many characters on average. Longer texts are cut before they are read. */
const CHARACTERS_PER_TOKEN_MAX = 12;

export class TextEncoder {
  private readonly tokenizer: Tokenizer;

  constructor(
    folder: string,
    private readonly tokensMax: number,
  ) {
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
    this.tokenizer = new Tokenizer(read(TOKENIZER), read(TOKENIZER_CONFIG));
  }

  /** A text that is too long keeps its beginning and its last token, which marks the end. `pair` is the second of two texts. */
  encode(text: string, pair?: string): Tokens {
    const charactersMax = this.tokensMax * CHARACTERS_PER_TOKEN_MAX;
    const { ids, token_type_ids: types } = this.tokenizer.encode(text.slice(0, charactersMax), {
      text_pair: pair?.slice(0, charactersMax) ?? null,
      return_token_type_ids: true,
    });
    if (ids.length <= this.tokensMax) return { ids, types };
    const cut = (numbers: readonly number[]) => [...numbers.slice(0, this.tokensMax - 1), numbers.at(-1) ?? 0];
    return { ids: cut(ids), types: cut(types) };
  }
}
