import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sendWithProgress } from './send-with-progress.js';

let sent = 0;

/** A request of a browser, which the server answers at once. */
class AnsweredRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 201;
  readonly response = new Blob(['{}']);
  readonly getAllResponseHeaders = () => '';
  readonly open = () => {};
  readonly setRequestHeader = () => {};
  readonly abort = () => {};
  send(): void {
    sent += 1;
    this.dispatchEvent(new Event('loadend'));
  }
}

beforeEach(() => {
  sent = 0;
  Object.assign(globalThis, { XMLHttpRequest: AnsweredRequest });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
});

it('an upload that is stopped while its file is read is not sent', async () => {
  const stopped = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      stopped.abort();
      controller.enqueue(new Uint8Array(3));
      controller.close();
    },
  });
  const init = { method: 'POST', body, signal: stopped.signal };
  const response = sendWithProgress(() => undefined)('http://127.0.0.1/v1/upload', init);
  await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toBe(0);
});
