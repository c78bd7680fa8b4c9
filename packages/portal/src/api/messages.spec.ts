import { expect, it } from '@jest/globals';
import { messageOf, receivedToken } from './messages.js';

const token = `kiln_pt_${'a'.repeat(43)}`;
const message = { type: 'kiln.portal.token', version: 1, token };

it('a message with a token is taken, also with fields of a later version', () => {
  expect(receivedToken(message)).toBe(token);
  expect(receivedToken({ ...message, hint: 'new' })).toBe(token);
});

it.each([
  [null],
  [undefined],
  ['kiln.portal.token'],
  [token],
  [[message]],
  [{ ...message, version: 2 }],
  [{ ...message, version: '1' }],
  [{ ...message, type: 'token' }],
  [{ ...message, token: `${token}a` }],
  [{ ...message, token: 'kiln_live_abc' }],
  [{ ...message, token: { toString: () => token } }],
  [{ type: 'kiln.portal.token', version: 1 }],
])('%j is no token', (data) => {
  expect(receivedToken(data)).toBeNull();
});

it('messages have the version', () => {
  expect(messageOf({ type: 'kiln.portal.height', height: 640 })).toStrictEqual({
    type: 'kiln.portal.height',
    version: 1,
    height: 640,
  });
});
