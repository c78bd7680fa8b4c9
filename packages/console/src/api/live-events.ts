// The stream of events, opened once for the whole console: a browser opens few connections to a server.
import { ForbiddenError, Kiln, UnauthorizedError, type KilnOptions, type StreamedEvent } from '@kiln/sdk';
import { Store } from './store.js';

type Listener = (event: StreamedEvent) => void;

export type StreamState = 'open' | 'refused';

const OPEN_AGAIN_MS = 5_000;

export class LiveEvents {
  /** `refused`: the key lacks the scope, or has too many open streams. */
  readonly state = new Store<StreamState>('open');
  readonly #listeners = new Set<Listener>();
  readonly #kiln: Kiln;

  /** `onOpen` is called for each connection. Events from before it are not sent. */
  constructor(options: KilnOptions & { fetch: typeof fetch }, onOpen: () => void) {
    const watched: typeof fetch = async (input, init) => {
      const response = await options.fetch(input, init);
      this.state.set(response.ok ? 'open' : 'refused');
      if (response.ok) onOpen();
      return response;
    };
    this.#kiln = new Kiln({ ...options, fetch: watched });
  }

  /** Returns a function that ends the stream. */
  start(): () => void {
    const controller = new AbortController();
    void this.#read(controller.signal);
    return () => controller.abort();
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #read(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        for await (const event of this.#kiln.events.stream({}, { signal, deadlineMs: Infinity })) {
          for (const listener of this.#listeners) listener(event);
        }
      } catch (error) {
        // Other requests end the session of a key that is no longer valid.
        if (error instanceof ForbiddenError || error instanceof UnauthorizedError) return;
      }
      if (signal.aborted) return;
      // The server has ended the stream for good, for example because earlier events are no longer kept. Only new ones are needed here.
      await new Promise((resolve) => setTimeout(resolve, OPEN_AGAIN_MS));
    }
  }
}
