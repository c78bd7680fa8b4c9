import { expect, it } from '@jest/globals';
import { changesOf, formOf } from './connection-changes.js';

const connection = {
  id: 'conn_1',
  provider: 'selfhost_s3',
  name: 'Contracts',
  bucket: 'acme',
  region: 'eu-central-1',
  prefix: null,
  listing_order: 'sorted',
  on_delete: 'delete',
  space: 'default',
  auth_type: 'access_key',
  status: 'active',
  error: null,
  created_at: '2026-11-27 10:00:00',
  updated_at: '2026-11-27 10:00:00',
} as const;
const form = formOf(connection);

it('a request contains only what was changed', () => {
  expect(changesOf(connection, form, undefined)).toStrictEqual({});
  expect(changesOf(connection, { ...form, name: ' Leases ', region: '', isUnsorted: true }, undefined)).toStrictEqual({
    name: 'Leases',
    region: null,
    listing_order: 'unsorted',
  });
});

it('a request has the space and the policy of files if they were changed; no space is the default one', () => {
  const changed = changesOf(connection, { ...form, files: { space: ' legal ', isKept: true } }, undefined);
  expect(changed).toStrictEqual({ space: 'legal', on_delete: 'keep' });
  const cleared = changesOf(connection, { ...form, files: { space: '', isKept: false } }, undefined);
  expect(cleared).toStrictEqual({});
});

it('a request has a queue of the type of the provider, or null when it was cleared', () => {
  const queue = 'https://sqs.eu-central-1.amazonaws.com/123456789012/kiln';
  const notifications = { type: 'sqs', queue } as const;
  expect(changesOf(connection, { ...form, queue: ` ${queue} ` }, undefined)).toStrictEqual({ notifications });
  const state = { ...notifications, status: 'active', error: null, last_received_at: null } as const;
  const connected = { ...connection, notifications: state };
  expect(changesOf(connected, formOf(connected), undefined)).toStrictEqual({});
  expect(changesOf(connected, { ...formOf(connected), queue: '' }, undefined)).toStrictEqual({ notifications: null });
});

it('a request has a complete address of an inventory, with its former age, or null when it was cleared', () => {
  const change = (inventory: string, of: Parameters<typeof changesOf>[0] = connection) =>
    changesOf(of, { ...formOf(of), inventory }, undefined);
  expect(change(' s3://reports/daily/acme/kiln/ ')).toStrictEqual({
    inventory: { bucket: 'reports', prefix: 'daily/acme/kiln/' },
  });
  expect([change('reports/daily/'), change('s3://reports'), change('s3://reports/daily')]).toStrictEqual([
    null,
    null,
    null,
  ]);
  const connected = { ...connection, inventory: { bucket: 'reports', prefix: 'daily/', max_age_hours: 30 } };
  expect(change('s3://reports/weekly/', connected)).toStrictEqual({
    inventory: { bucket: 'reports', prefix: 'weekly/', max_age_hours: 30 },
  });
  expect([change('s3://reports/daily/', connected), change('', connected)]).toStrictEqual([{}, { inventory: null }]);
});

it('a request waits for a name, and for all of the new credentials', () => {
  const values = { endpoint: 'https://s3.example.com', access_key_id: 'AK' };
  const credentials = { kind: 'accessKey' as const, values };
  expect(changesOf(connection, { ...form, name: ' ' }, undefined)).toBeNull();
  expect(changesOf(connection, { ...form, credentials }, undefined)).toBeNull();
  const complete = { ...credentials, values: { ...values, secret_access_key: 'a-secret' } };
  expect(changesOf(connection, { ...form, credentials: complete }, undefined)).toStrictEqual({
    credentials: complete.values,
  });
});
