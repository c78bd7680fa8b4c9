import { expect, it } from '@jest/globals';
import type { Kiln } from '@kiln/sdk';
import type { StreamState } from '../../api/live-events.js';
import { filesQuery } from './queries.js';

/** After how many milliseconds pages with files of these statuses are read again. */
function readAgainMs(stream: StreamState, ...pages: string[][]) {
  const { refetchInterval } = filesQuery({} as Kiln, {}, stream);
  const data = { pages: pages.map((statuses) => ({ files: statuses.map((status) => ({ status })) })), pageParams: [] };
  if (typeof refetchInterval !== 'function') return refetchInterval;
  return refetchInterval({ state: { data } } as unknown as Parameters<typeof refetchInterval>[0]);
}

it('a list is read again while a file is under way: its last event may come before the server and the list know', () => {
  expect(readAgainMs('open', ['completed', 'processing'])).toBe(15_000);
  expect(readAgainMs('open', ['uploading'])).toBe(15_000);
  expect(readAgainMs('open', ['completed', 'failed', 'uploaded'])).toBe(false);
});

it('a key that may not read events sees what is new within five seconds', () => {
  expect(readAgainMs('refused', ['completed'])).toBe(5_000);
  expect(readAgainMs('refused', ['processing'])).toBe(5_000);
  expect(readAgainMs('refused', [])).toBe(5_000);
});

it('a list of many pages is not read again by itself', () => {
  expect(readAgainMs('open', ['processing'], ['completed'])).toBe(false);
  expect(readAgainMs('refused', ['completed'], ['completed'])).toBe(false);
});
