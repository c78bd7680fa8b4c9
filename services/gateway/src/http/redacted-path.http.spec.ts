import { expect, it } from '@jest/globals';
import { routeTable } from '../routes/table.routes.js';
import { redactedPath } from './redacted-path.http.js';

const shown = redactedPath(routeTable);
const TOKEN = `kiln_pt_${'x'.repeat(43)}`;

it('every path that takes a token is shown with its name instead, whatever follows', () => {
  for (const [url, path] of [
    [`/v1/portal/tokens/${TOKEN}`, '/v1/portal/tokens/:token'],
    [`/v1/portal/tokens/${TOKEN}?x=1`, '/v1/portal/tokens/:token'],
    [`/v1/portal/tokens/${TOKEN}/`, '/v1/portal/tokens/:token/'],
    [`/v1/portal/tokens/${TOKEN}/verify`, '/v1/portal/tokens/:token/verify'],
    [`/v1/portal/tokens/${TOKEN}/anything`, '/v1/portal/tokens/:token/anything'],
    [`http://gateway/v1/portal/tokens/${TOKEN}`, '/v1/portal/tokens/:token'],
    [`/v1/portal/tokens/%6b${TOKEN.slice(1)}`, '/v1/portal/tokens/:token'],
    [`/v1/content/${TOKEN}?x=1`, '/v1/content/:token'],
    [`/v1/content/${TOKEN}/more`, '/v1/content/:token/more'],
  ] as const) {
    expect(shown(url)).toBe(path);
  }
});

it('a key or token elsewhere in a path is not shown', () => {
  const key = `kiln_live_${'a1'.repeat(21)}b`;
  expect(shown(`/v1/files/${key}/x?${key}`)).toBe('/v1/files/:secret/x');
  expect(shown(`/v1/spaces/${TOKEN}`)).toBe('/v1/spaces/:secret');
});

it('other paths are shown as they came, without their query', () => {
  for (const path of ['/v1/portal/tokens', '/v1/files/file_0/variants/markdown', '/', '*']) {
    expect(shown(`${path}?token=${TOKEN}`)).toBe(path);
  }
});

it.each(routeTable)('$path marks its parameters called token, secret or key as secrets', ({ path, secretParams }) => {
  const named = [...path.matchAll(/:(\w*(?:token|secret|key)\w*)/gi)].map((match) => match[1]);
  expect(secretParams ?? []).toStrictEqual(named);
});
