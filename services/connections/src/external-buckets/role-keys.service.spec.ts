import { describe, expect, it } from '@jest/globals';
import type { AssumedRoleConfig } from '@kiln/storage/s3';
import { RoleKeys } from './role-keys.service.js';

const HOUR_MS = 3_600_000;

describe('the keys of an assumed role', () => {
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

  it('are requested once, and again when less than half of an hour is left', async () => {
    asked = [];
    const keys = newKeys();
    expect((await keys.of(role)()).accessKeyId).toBe('1');
    now += HOUR_MS / 2 - 1;
    expect((await keys.of(role)()).accessKeyId).toBe('1');
    now += 1;
    expect((await keys.of(role)()).accessKeyId).toBe('2');
  });

  it('are never used for another role or external id', async () => {
    asked = [];
    const keys = newKeys();
    await keys.of(role)();
    await keys.of({ ...role, externalId: 'org_2' })();
    await keys.of({ ...role, roleArn: 'b' })();
    await keys.of(role)();
    expect(asked).toStrictEqual(['a org_1', 'a org_2', 'b org_1']);
  });

  it('are cached for a limited number of roles', async () => {
    asked = [];
    const keys = newKeys();
    for (let at = 0; at <= 1_000; at++) await keys.of({ ...role, roleArn: `role-${at}` })();
    await keys.of({ ...role, roleArn: 'role-0' })();
    await keys.of({ ...role, roleArn: 'role-1000' })();
    expect(asked).toHaveLength(1_002);
  });
});
