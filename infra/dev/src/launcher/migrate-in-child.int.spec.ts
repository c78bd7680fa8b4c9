// Real: the process, and the migrations of a built service. The database does not exist.
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { repositoryDirectory } from '../repository.js';
import { migrateInChild } from './migrate-in-child.js';

describe('migrations in a process of their own', () => {
  const servicesDirectory = join(repositoryDirectory, 'services');

  it('fail with the service that could not be migrated and the reason, without the password', async () => {
    const databaseUrl = 'postgres://kiln:hunter2@127.0.0.1:1/kiln';
    const failed = migrateInChild({ services: ['webhooks'], servicesDirectory, databaseUrl });
    await expect(failed).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringMatching(/^Migrating webhooks failed\. (?!.*hunter2).*ECONNREFUSED/) as unknown,
    });
  });

  it('apply nothing for a service that has no migrations', async () => {
    const databaseUrl = 'postgres://kiln@127.0.0.1:1/kiln';
    await expect(migrateInChild({ services: ['none'], servicesDirectory, databaseUrl })).resolves.toBe(0);
  });
});
