// Reads server-sent events while they arrive.
export type StreamedEvent = Record<string, unknown> | '[DONE]';

/** Yields the data of each event. Comments are skipped. */
export async function* streamedEvents(response: Response): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (!block.startsWith('data: ')) continue;
      const data = block.slice('data: '.length);
      yield data === '[DONE]' ? data : (JSON.parse(data) as Record<string, unknown>);
    }
  }
}

export async function allEvents(response: Response): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for await (const event of streamedEvents(response)) events.push(event);
  return events;
}
