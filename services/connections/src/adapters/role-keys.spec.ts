import type { AssumedRoleConfig } from '@kiln/storage/s3';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RoleKeys } from './role-keys.js';

const HOUR_MS = 3_600_000;

describe('keys of an assumed role', () => {
  const role: AssumedRoleConfig = { roleArn: 'a', externalId: 'org_1', sessionName: 'kiln', region: 'us-east-1' };
  let now = 1_000_000;
  let asked: string[] = [];
  const newKeys = () =>
    new RoleKeys(
      async ({ roleArn, externalId }) => {
        asked.push(`${roleArn} ${externalId}`);
        return { accessKeyId: String(asked.length), secretAccessKey: '', expiration: new Date(now + HOUR_MS) };
      },
      () => now,
    );

  it('are asked for once, and again shortly before they end', async () => {
    asked = [];
    const keys = newKeys();
    assert.equal((await keys.of(role)()).accessKeyId, '1');
    now += HOUR_MS / 2;
    assert.equal((await keys.of(role)()).accessKeyId, '1');
    now += HOUR_MS / 2 - 5 * 60_000;
    assert.equal((await keys.of(role)()).accessKeyId, '2');
  });

  it('are never those of another role or external id', async () => {
    asked = [];
    const keys = newKeys();
    await keys.of(role)();
    await keys.of({ ...role, externalId: 'org_2' })();
    await keys.of({ ...role, roleArn: 'b' })();
    await keys.of(role)();
    assert.deepEqual(asked, ['a org_1', 'a org_2', 'b org_1']);
  });

  it('are kept for so many roles, and no more', async () => {
    asked = [];
    const keys = newKeys();
    for (let at = 0; at <= 1_000; at++) await keys.of({ ...role, roleArn: `role-${at}` })();
    await keys.of({ ...role, roleArn: 'role-0' })();
    await keys.of({ ...role, roleArn: 'role-1000' })();
    assert.equal(asked.length, 1_002);
  });
});
