import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sendWithProgress } from './send-with-progress.js';

let sent = 0;
let handed: Blob | null = null;

/** A request of a browser, which the server answers at once. */
class AnsweredRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 201;
  readonly response = new Blob(['{}']);
  readonly getAllResponseHeaders = () => '';
  readonly open = () => {};
  readonly setRequestHeader = () => {};
  readonly abort = () => {};
  send(body: Blob): void {
    sent += 1;
    handed = body;
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

it('an upload that was stopped before it began is not sent', async () => {
  const init = { method: 'POST', body: new Blob(['A letter.']), signal: AbortSignal.abort() };
  const response = sendWithProgress(() => undefined)('http://127.0.0.1/v1/upload', init);
  await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toBe(0);
});

it('a blob is handed to the browser as it is, which reads it while it is sent', async () => {
  const body = new Blob(['A letter.']);
  const { status } = await sendWithProgress(() => undefined)('http://127.0.0.1/v1/upload', { method: 'POST', body });
  expect([status, handed]).toStrictEqual([201, body]);
});
