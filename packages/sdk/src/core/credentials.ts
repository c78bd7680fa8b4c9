// The Authorization header. Credentials are in private fields, so that no log prints them with the client.
import type { KilnOptions } from './options.js';

const SCHEMES = { apiKey: 'ApiKey', bearer: 'Bearer', portalToken: 'PortalToken' } as const;

export class Credentials {
  readonly #scheme: string;
  readonly #secret: string | (() => string | Promise<string>);
  #latest = '';

  /** Throws TypeError unless the options have exactly one kind of credentials. */
  constructor(options: KilnOptions) {
    const given = Object.entries(SCHEMES).filter(([name]) => options[name as keyof typeof SCHEMES] !== undefined);
    const [first, ...others] = given;
    if (!first || others.length > 0) throw new TypeError('Give one of apiKey, bearer and portalToken.');
    const [name, scheme] = first;
    this.#scheme = scheme;
    this.#secret = options[name as keyof typeof SCHEMES] ?? '';
    if (typeof this.#secret !== 'string') return;
    assertPrintable(this.#secret);
    this.#latest = this.#secret;
  }

  /** A promise only if the secret comes from a function. */
  header(): string | Promise<string> {
    if (typeof this.#secret === 'string') return `${this.#scheme} ${this.#latest}`;
    return Promise.resolve(this.#secret()).then((secret) => {
      assertPrintable(secret);
      this.#latest = secret;
      return `${this.#scheme} ${secret}`;
    });
  }

  /** The text without the credentials. */
  redact(text: string): string {
    return this.#latest === '' ? text : text.replaceAll(this.#latest, '[redacted]');
  }
}

/** Without this check, fetch would throw an error that contains the value. */
function assertPrintable(secret: string): void {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new TypeError('The credentials must be printable ASCII without blanks.');
}
