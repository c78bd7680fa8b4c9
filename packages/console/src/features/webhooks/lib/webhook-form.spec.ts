import { expect, it } from '@jest/globals';
import { EMPTY_FORM, requestOf, type WebhookForm } from './webhook-form.js';

const form: WebhookForm = { ...EMPTY_FORM, url: ' https://example.com/hooks ', spaces: 'a, b  c,' };

it('a form becomes a request, in which all types stand for each of them', () => {
  expect(requestOf({ ...form, events: new Set(['file.created', '*']) })).toStrictEqual({
    url: 'https://example.com/hooks',
    events: ['*'],
    spaces: ['a', 'b', 'c'],
  });
});

it('a form without spaces asks for all of them', () => {
  expect(requestOf({ ...form, spaces: ' ' })?.spaces).toBeNull();
});

it('a form without a URL or a type is no request', () => {
  expect(requestOf({ ...form, url: 'example' })).toBeNull();
  expect(requestOf({ ...form, events: new Set() })).toBeNull();
});
