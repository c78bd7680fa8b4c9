import { describe, expect, it } from '@jest/globals';
import { SseParser } from './sse-parser.js';

const parsed = (parts: readonly string[]) => {
  const parser = new SseParser();
  return { events: parts.flatMap((part) => parser.push(part)), parser };
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
    parser.push('data: a\n\n');
    expect(parser.lastEventId).toBe('5');
    parser.push('id: 6\ndata: b\n\nid: 7\0\ndata: c\n\n');
    expect(parser.lastEventId).toBe('6');
  });

  it('refuses an event that never ends', () => {
    const parser = new SseParser();
    const fill = () => {
      for (let count = 0; count < 20; count += 1) parser.push(`data: ${'x'.repeat(1_000_000)}\n`);
    };
    expect(fill).toThrow('too long');
  });
});
