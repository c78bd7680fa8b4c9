import { describe, expect, it } from '@jest/globals';
import { addImporter } from './lock-file.js';

const LOCK = `lockfileVersion: '9.0'

importers:

  services/analytics:
    dependencies:
      zod:
        specifier: 'catalog:'
        version: 4.6.7

  services/webhooks:
    dependencies:
      '@nestjs/core':
        specifier: 'catalog:'
        version: 12.5.1(rxjs@7.8.2)
      zod:
        specifier: 'catalog:'
        version: 4.6.7
    devDependencies:
      '@kiln/testing':
        specifier: workspace:*
        version: link:../../packages/testing

packages:

  zod@4.6.7:
`;
const manifest = { dependencies: { '@nestjs/core': 'catalog:' }, devDependencies: { '@kiln/testing': 'workspace:*' } };
const IMPORTER = `    dependencies:
      '@nestjs/core':
        specifier: 'catalog:'
        version: 12.5.1(rxjs@7.8.2)
    devDependencies:
      '@kiln/testing':
        specifier: workspace:*
        version: link:../../packages/testing
`;

describe('the lock file', () => {
  it('gets the service in the order of the folders, with the versions of the model', () => {
    const [before, after] = LOCK.split('  services/webhooks:');
    expect(addImporter('services/billing', manifest)(LOCK)).toBe(
      `${before}  services/billing:\n${IMPORTER}\n  services/webhooks:${after}`,
    );
  });

  it('gets a service whose folder is the last one before the packages', () => {
    const [before, after] = LOCK.split('packages:\n');
    expect(addImporter('services/zones', manifest)(LOCK)).toBe(
      `${before}  services/zones:\n${IMPORTER}\npackages:\n${after}`,
    );
  });

  it('gets no service with a dependency that the model does not have', () => {
    const other = { ...manifest, dependencies: { uuid: 'catalog:' } };
    expect(() => addImporter('services/billing', other)(LOCK)).toThrow(
      expect.objectContaining({ code: 'place_missing', message: expect.stringContaining('uuid') }),
    );
  });
});
