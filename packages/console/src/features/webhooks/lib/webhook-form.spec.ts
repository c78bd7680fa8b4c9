import { expect, it } from '@jest/globals';
import { changesOf, EMPTY_FORM, requestOf, type WebhookForm } from './webhook-form.js';

const form: WebhookForm = { ...EMPTY_FORM, url: ' https://example.com/hooks ', spaces: 'a, b  c,' };

it('a form becomes a request, in which all types stand for each of them', () => {
  expect(requestOf({ ...form, events: new Set(['file.created', '*']) })).toStrictEqual({
    url: 'https://example.com/hooks',
    events: ['*'],
    spaces: ['a', 'b', 'c'],
    active: true,
  });
});

it('a form without spaces asks for all of them', () => {
  expect(requestOf({ ...form, spaces: ' ' })?.spaces).toBeNull();
});

it('a form without a URL or a type is no request', () => {
  expect(requestOf({ ...form, url: 'example' })).toBeNull();
  expect(requestOf({ ...form, events: new Set() })).toBeNull();
});

it('a change of one field leaves the others as they are, also those that Kiln has changed since: it disables webhooks', () => {
  const edited = requestOf({ ...form, spaces: 'a' });
  if (!edited) throw new Error('The form is complete.');
  expect(changesOf(form, edited)).toStrictEqual({ spaces: ['a'] });
  expect(changesOf({ ...form, active: false, events: new Set(['file.deleted']) }, edited)).toStrictEqual({
    events: ['*'],
    spaces: ['a'],
    active: true,
  });
});
