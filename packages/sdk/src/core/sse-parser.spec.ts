import { describe, expect, it } from '@jest/globals';
import { SseParser } from './sse-parser.js';

const parsed = (parts: readonly string[]) => {
  const parser = new SseParser();
  return { events: parts.flatMap((part) => [...parser.push(part)]), parser };
};

const STREAM = [
  ': comment\n\n',
  'data: one\n\n',
  'id: 7\r\nevent: file.created\r\ndata: {"a":\r\ndata:1}\r\n\r\n',
  'retry: 1500\rdata\r\r',
  'id\ndata:  blank\n\n',
  'data: cut off\n',
].join('');
const EVENTS = [
  { event: 'message', data: 'one' },
  { event: 'file.created', data: '{"a":\n1}' },
  { event: 'message', data: '' },
  { event: 'message', data: ' blank' },
];

describe('the parser of server-sent events', () => {
  it('reads fields, comments, three kinds of line ends, and drops an event that is cut off', () => {
    const { events, parser } = parsed([STREAM]);
    expect(events).toStrictEqual(EVENTS);
    expect([parser.lastEventId, parser.retryMs]).toStrictEqual(['', 1_500]);
  });

  it('reads the same however the stream is divided', () => {
    expect(parsed(STREAM.split('')).events).toStrictEqual(EVENTS);
    for (let at = 1; at < STREAM.length; at += 1)
      expect(parsed([STREAM.slice(0, at), STREAM.slice(at)]).events).toStrictEqual(EVENTS);
  });

  it('keeps the id of the last event that has one, and ignores ids with NULL', () => {
    const parser = new SseParser('5');
    expect([...parser.push('data: a\n\n')]).toHaveLength(1);
    expect(parser.lastEventId).toBe('5');
    expect([...parser.push('id: 6\ndata: b\n\nid: 7\0\ndata: c\n\n')]).toHaveLength(2);
    expect(parser.lastEventId).toBe('6');
  });

  it('has the id of an event only when the event is complete, with or without data', () => {
    const parser = new SseParser('5');
    const idAfter = (text: string) => [[...parser.push(text)].length, parser.lastEventId];
    expect(idAfter('id: 6\ndata: a\n')).toStrictEqual([0, '5']);
    expect(idAfter('\nid: 7\n')).toStrictEqual([1, '6']);
    expect(idAfter('\n')).toStrictEqual([0, '7']);
  });

  it('has the id of the event that was read last, not that of a later event in the same text', () => {
    const parser = new SseParser();
    const ids: string[] = [];
    for (const _event of parser.push('id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\n')) ids.push(parser.lastEventId);
    expect(ids).toStrictEqual(['1', '2']);
  });

  it('refuses an event that never ends', () => {
    const parts = Array.from({ length: 20 }, () => `data: ${'x'.repeat(1_000_000)}\n`);
    expect(() => parsed(parts)).toThrow('too long');
  });
});
