/** @slow */
// Real: everything, in a copy of the repository: compiler, formatter, linter, import law, and Jest with Postgres and NATS. Faked: the
// installation of the dependencies, by links to installed packages.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFiles } from './format-files.js';
import { generateService, type Generated } from './generate-service.js';
import { readNames, type Names } from './names.js';
import { RepositoryCopy, type Outcome } from './test/repository-copy.js';

/** The specs that read what lists services, and those of the service. */
const SPECS = [
  'services/newcomers/dist',
  'infra/docker/dist/(bus-users/|compose|connections|containers|kubernetes|network-policies)',
  'infra/dev/dist/launcher/topology',
  'infra/observability/dist',
  'packages/contracts/dist/(architecture|core/pages)',
];

/** Shows the whole output of a failure, which a comparison would shorten. */
const expectSuccess = ({ status, output }: Outcome) => {
  if (status !== 0) throw new Error(`exit code ${status ?? 'none'}\n${output}`);
};

describe('a generated service', () => {
  let copy: RepositoryCopy;
  let names: Names;
  let generated: Generated;
  beforeAll(() => {
    copy = new RepositoryCopy();
    names = readNames(['newcomers', 'Greetings of newcomers', 'greeting'], { time: Date.now() });
    generated = generateService(copy.directory, names);
    formatFiles(copy.directory, [...generated.created, ...generated.changed]);
    copy.linkDependencies('newcomers', 'webhooks');
  });
  afterAll(() => copy.remove());

  it('has no placeholder of the template left', () => {
    expect(generated.created.length).toBeGreaterThan(20);
    const texts = generated.created.map((path) => `${path}\n${copy.read(path)}`);
    expect(texts.filter((text) => /__\w+__/.test(text))).toStrictEqual([]);
  });

  it('compiles, and passes its specs and those that compare contracts, launcher and manifests', async () => {
    expectSuccess(
      await copy.run('typescript/bin/tsc', '-b', 'services/newcomers', 'infra/docker', 'infra/observability'),
    );
    expectSuccess(await copy.run('../infra/docker/dist/bus-users/write-bus-users.js'));
    const patterns = ['--testPathPatterns', ...SPECS];
    const outcome = await copy.run('jest/bin/jest.js', '--selectProjects', 'unit', 'integration', ...patterns);
    expectSuccess(outcome);
    for (const spec of [
      'greetings.int',
      'newcomers.int',
      'schema.int',
      'migrations',
      'bus-users',
      'bus-users.int',
      'kubernetes',
      'compose',
      'documents',
      'architecture',
    ]) {
      expect(outcome.output).toMatch(new RegExp(`^pass .*/${spec}\\.spec\\.ts$`, 'm'));
    }
    // It compiles, and runs specs.
  }, 600_000);

  it('obeys the lint rules and the import law', async () => {
    const folders = ['services/newcomers', 'packages/contracts/src/newcomers'];
    expectSuccess(await copy.run('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...folders));
    const law = ['--config', '.dependency-cruiser.cjs', ...folders];
    expectSuccess(await copy.run('dependency-cruiser/bin/dependency-cruise.mjs', ...law));
  });

  it('is refused if one of its names is taken, and then nothing is written', () => {
    const refused = (others: Partial<Names>, message: RegExp) => {
      const given = { ...names, service: 'farewells', noun: 'goodbye', ...others };
      expect(() => generateService(copy.directory, given)).toThrow(
        expect.objectContaining({ code: 'name_taken', message: expect.stringMatching(message) }),
      );
      const isPresent = ['newcomers', 'core'].includes(given.service);
      if (!isPresent) expect(existsSync(join(copy.directory, 'services', given.service))).toBe(false);
    };
    refused({ service: 'newcomers' }, /^services\/newcomers exists already/);
    refused({ service: 'core' }, /^packages\/contracts\/src\/core exists already/);
    refused({ service: 'postgres' }, /^docker-compose.yml has a service postgres already/);
    refused({ noun: 'greeting' }, /ids of the kind greeting already/);
    refused({ noun: 'label' }, /^The contracts export labelSchema already/);
  });

  it('is refused if a place that lists services is not found, and then nothing is written', () => {
    const path = 'k8s/overlays/local/create-secrets.sh';
    writeFileSync(join(copy.directory, path), 'echo\n');
    expect(() => generateService(copy.directory, { ...names, service: 'farewells', noun: 'goodbye' })).toThrow(
      expect.objectContaining({
        code: 'place_missing',
        message: expect.stringMatching(/^k8s\/overlays\/local\/create-secrets.sh: .*Nothing was written/),
      }),
    );
    expect(existsSync(join(copy.directory, 'services/farewells'))).toBe(false);
    expect(copy.read('packages/contracts/src/index.ts')).not.toContain('farewells');
  });
});
