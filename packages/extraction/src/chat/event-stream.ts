// Reads the data of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
const EVENT_CHARACTERS_MAX = 1_048_576;

/** An event of the server exceeds the maximum length. */
export class EventTooLongError extends Error {
  constructor() {
    super(`an event of more than ${EVENT_CHARACTERS_MAX} characters`);
  }
}

/** Yields the data of each event. An event that is incomplete when the stream ends is dropped. */
export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      size = 0;
      continue;
    }
    if (!line.startsWith('data:')) continue;
    size += line.length;
    if (size > EVENT_CHARACTERS_MAX) throw new EventTooLongError();
    data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // The end of a chunk can split a character, or the two characters of a line end.
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (end === null) break;
      yield rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
    }
    if (rest.length > EVENT_CHARACTERS_MAX) throw new EventTooLongError();
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1);
}
