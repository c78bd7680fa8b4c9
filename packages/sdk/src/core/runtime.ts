// What differs between the places where the SDK runs.

/** A page or a worker of a browser. */
export const isBrowser = (): boolean => 'document' in globalThis || 'importScripts' in globalThis;

/** Deno sends a stream without its length, also if a header names it. */
export const canSendLength = (): boolean => !('Deno' in globalThis);

/** Whether `fetch` sends a stream as it is read. Some browsers cannot. */
export function canSendStreams(): boolean {
  if (!isBrowser()) return true;
  let wasAsked = false;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      wasAsked = true;
      return 'half';
    },
  };
  // Without support the stream becomes text, which has a type: https://developer.chrome.com/docs/capabilities/web-apis/fetch-streaming-requests
  return !new Request('https://kiln.invalid', init).headers.has('content-type') && wasAsked;
}
