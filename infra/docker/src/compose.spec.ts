import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';
import { expectedProcesses, expectedServices, isPinned, SECRET } from './expected.js';

interface ComposeService {
  image?: string;
  build?: { args?: Record<string, string> };
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  command?: string[];
  restart?: string;
  stop_grace_period?: string;
  healthcheck?: object;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } };
  networks?: string[];
  volumes?: unknown[];
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
}

const text = readFileSync(join(repositoryDirectory, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true }) as ComposeFile;
const services = Object.entries(compose.services);
const serviceNamed = (name: string): ComposeService => {
  const service = compose.services[name];
  assert.ok(service, `docker-compose.yml has no service ${name}`);
  return service;
};
/** `kiln/files:${KILN_VERSION:-0.1.1}` is what it defaults to. */
const withDefaults = (value: string) => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

describe('docker-compose.yml', () => {
  for (const process of expectedProcesses) {
    it(`runs ${process.name} with every variable it needs, and no secret it does not`, () => {
      const { image = '', environment = {} } = serviceNamed(process.name);
      assert.match(image, new RegExp(`^kiln/${process.service}:`));
      assert.equal(environment['KILN_ROLE'], process.role);
      assert.deepEqual(
        process.variables.filter((name) => !environment[name]),
        [],
        'missing variables',
      );
      assert.deepEqual(
        process.forbidden.filter((name) => name in environment),
        [],
        'variables it has no need of',
      );
    });

    it(`starts ${process.name} only after its schema is there`, () => {
      const condition = serviceNamed(process.name).depends_on?.[`migrate-${process.service}`]?.condition;
      assert.equal(condition, 'service_completed_successfully');
    });
  }

  it('migrates every service once, by the command of its own image', () => {
    for (const service of expectedServices) {
      const migration = serviceNamed(`migrate-${service}`);
      assert.deepEqual(migration.command, ['node', 'dist/migrate.js']);
      assert.match(migration.image ?? '', new RegExp(`^kiln/${service}:`));
      assert.equal(migration.restart, 'no');
      assert.deepEqual(Object.keys(migration.environment ?? {}), ['DATABASE_URL']);
    }
  });

  for (const [name, service] of services) {
    it(`locks ${name} down: no root, no writable root, no capabilities, limits`, () => {
      assert.match(service.user ?? '', /^[1-9]\d*:[1-9]\d*$/);
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.ok(service.deploy?.resources?.limits?.memory && service.deploy.resources.limits.cpus);
      assert.ok(isPinned(withDefaults(service.image ?? '')), `${service.image} is not pinned`);
      if (service.restart !== 'no') assert.ok(service.healthcheck, 'no healthcheck');
    });
  }

  it('builds every image of ours where it is used, so that compose never looks for one in a registry', () => {
    for (const [name, { image = '', build }] of services) {
      const own = /^kiln\/(?!nats:)([a-z-]+):/.exec(image)?.[1];
      if (own !== undefined) assert.equal(build?.args?.['SERVICE'], own, name);
    }
  });

  it('publishes the port of the gateway on loopback, and no other', () => {
    const published = services.filter(([, { ports }]) => ports !== undefined);
    assert.deepEqual(
      published.map(([name]) => name),
      ['gateway'],
    );
    assert.deepEqual(serviceNamed('gateway').ports, ['127.0.0.1:${KILN_PORT:-8080}:8080']);
  });

  it('lets nothing but the gateway, and the services that call webhooks and buckets, out of the inner network', () => {
    assert.equal(compose.networks['inside']?.internal, true);
    const outside = services.filter(([, { networks }]) => networks?.join() !== 'inside').map(([name]) => name);
    assert.deepEqual(outside, ['gateway', 'connections', 'webhooks']);
  });

  it('holds no secret: each comes from .env, and without it the start fails with advice', () => {
    for (const [name, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment).filter(([key]) => SECRET.test(key))) {
        assert.match(value, /\$\{KILN_\w+:\?set it in \.env, see [^}]+\}/, `${name}: ${variable}`);
      }
    }
  });

  it('has an example of .env that names exactly the required variables and gives none a usable value', () => {
    const example = readFileSync(join(repositoryDirectory, 'infra/docker/compose.env.example'), 'utf8');
    const assigned = [...example.matchAll(/^(\w+)=(.*)$/gm)];
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    assert.deepEqual(new Set(assigned.map(([, name]) => name)), required);
    for (const [line, , value] of assigned) assert.equal(value, 'replace-me', line);
  });
});
