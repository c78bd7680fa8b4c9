import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kiln } from '@kiln/sdk';
import { createQueryClient } from './query-client.js';
import { beginSession, endSession, onSessionEnd, type Session } from './session.js';

const stored = new Map<string, string>();
const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');

beforeAll(() => {
  const value = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { value, configurable: true });
});
afterAll(() => {
  if (before) Object.defineProperty(globalThis, 'sessionStorage', before);
  else Reflect.deleteProperty(globalThis, 'sessionStorage');
});

const sessionOf = (apiKey: string): Session => ({ apiKey, keyId: null });
const open = () => {
  const text = stored.get('kiln.session');
  return text === undefined ? null : (JSON.parse(text) as Session).apiKey;
};

/** A page of the session makes a request, which the server refuses. */
async function refused(session: Session): Promise<void> {
  const fetch = async () => Response.json({ error: 'No.', code: 'UNAUTHORIZED' }, { status: 401 });
  const kiln = new Kiln({ baseUrl: 'http://127.0.0.1', apiKey: session.apiKey, fetch });
  const client = createQueryClient(session);
  await client.prefetchQuery({ queryKey: ['me'], queryFn: async () => await kiln.organization.getMe() });
  client.clear();
}

it('a refused request ends the session that has made it, and no later one', async () => {
  const [former, next] = [sessionOf('former'), sessionOf('next')];
  beginSession(former);
  beginSession(next);
  await refused(former);
  expect(open()).toBe('next');
  endSession('signed-out', former);
  expect(open()).toBe('next');
  await refused(next);
  expect(open()).toBeNull();
});

it('what a session runs learns of its end, however it ends', () => {
  const heard: string[] = [];
  const [first, second] = [sessionOf('first'), sessionOf('second')];
  beginSession(first);
  onSessionEnd(first, () => heard.push('first'));
  beginSession(second);
  expect(heard).toStrictEqual(['first']);
  const forget = onSessionEnd(second, () => heard.push('second'));
  endSession('signed-out', second);
  forget();
  expect(heard).toContain('second');
});
