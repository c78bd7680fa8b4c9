import { createParser } from 'eventsource-parser';

const EVENT_CHARACTERS_MAX = 1_048_576;

/** An event of the server exceeds the maximum length. */
export class EventTooLongError extends Error {
  constructor() {
    super(`an event of more than ${EVENT_CHARACTERS_MAX} characters`);
  }
}

/** Yields the data of each server-sent event. An event that is incomplete when the stream ends is dropped. */
export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: EVENT_CHARACTERS_MAX,
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => {
      // Other errors are fields that mean nothing here.
      if (type === 'max-buffer-size-exceeded') throw new EventTooLongError();
    },
  });
  // The end of a chunk can split a character.
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}
