import { expect, it } from '@jest/globals';
import { portalSettingsChangesSchema } from './portal-settings.js';

const refusalOf = (frame_ancestors: unknown) =>
  portalSettingsChangesSchema.safeParse({ frame_ancestors }).error?.issues[0]?.message;

it('a frame ancestor is an https origin, or an http origin of this machine', () => {
  const origins = ['https://app.example.com', 'https://example.com:8443', 'http://localhost:3000', 'http://127.0.0.1'];
  expect(portalSettingsChangesSchema.parse({ frame_ancestors: origins })).toStrictEqual({ frame_ancestors: origins });
  expect(portalSettingsChangesSchema.parse({ frame_ancestors: ['HTTPS://App.Example.com'] })).toStrictEqual({
    frame_ancestors: ['https://app.example.com'],
  });
});

it.each([
  'http://app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://app.example.com:443',
  'https://app.example.com:99999',
  'https://user@app.example.com',
  'https://*.example.com',
  'https://app.example.com;script-src',
  "https://a' 'self",
  'https://a https://b',
  'https://[::1]',
  'https:',
  '*',
  'null',
  'data:',
])('%j is refused, and the message shows an origin', (origin) => {
  expect(refusalOf([origin])).toMatch(/must be an origin such as https:\/\/app\.example\.com/);
});

it('at most 20 origins are taken', () => {
  const origins = Array.from({ length: 21 }, (_, index) => `https://site-${index}.example.com`);
  expect(refusalOf(origins)).toMatch(/at most 20 origins/);
  expect(refusalOf(origins.slice(1))).toBeUndefined();
});
