import type { PathParameters } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import { fetchResponse, readText } from '../core/response.js';
import { runAttempts } from '../core/attempts.js';
import { Variants as GeneratedVariants } from '../generated/variants.js';

export class Variants extends GeneratedVariants {
  /** The whole text of a variant, of any size: `await kiln.variants.read(file.id, 'markdown')`. */
  async read(
    fileId: string,
    type: PathParameters<'getVariant'>['type'],
    options: RequestOptions = {},
  ): Promise<string> {
    const { content, content_url: url } = await this.get(fileId, type, options);
    if (content !== null) return content;
    const { fetch } = this.transport;
    const what = 'GET the content of a variant';
    const repeated = { what, limits: this.transport.limitsOf(options), isRepeatable: true };
    return runAttempts(repeated, async (signal) => {
      const response = await fetchResponse({ what, fetch, url, init: { signal }, redact: (text) => text });
      return readText(what, response);
    });
  }
}
