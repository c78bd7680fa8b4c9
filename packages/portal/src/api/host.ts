// The page that embeds the portal. Messages go only to the listed origins, and are taken only from them.
import { messageOf, receivedToken, type Message } from './messages.js';

export class Host {
  /** Whether the portal is shown in a frame. */
  readonly isPresent = window.parent !== window;
  #heard: string | null = null;

  /** `origins` are the frame ancestors of the organization. */
  constructor(private readonly origins: readonly string[]) {}

  send(message: Message): void {
    if (!this.isPresent) return;
    for (const origin of this.#targets()) window.parent.postMessage(messageOf(message), origin);
  }

  onToken(listener: (token: string) => void): void {
    window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
      if (!this.isPresent || source !== window.parent || !this.origins.includes(origin)) return;
      const token = receivedToken(data);
      if (token === null) return;
      this.#heard = origin;
      listener(token);
    });
  }

  /**
   * The origins to send a message to. Some browsers do not provide the origin of the embedding page. Then the message is sent once for each
   * listed origin, and the browser delivers only the one that matches the page.
   */
  #targets(): readonly string[] {
    const known = this.#heard ?? (window.location.ancestorOrigins as DOMStringList | undefined)?.[0];
    return known === undefined ? this.origins : this.origins.filter((origin) => origin === known);
  }
}

/** The gateway writes them into the page. */
export const frameAncestors = (): readonly string[] =>
  (document.querySelector<HTMLMetaElement>('meta[name="kiln-frame-ancestors"]')?.content ?? '')
    .split(' ')
    .filter((origin) => origin !== '');
