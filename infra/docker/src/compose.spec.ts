import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readCompose } from './compose-file.js';
import { shutdownSeconds } from './shutdown-seconds.js';
import { expectedProcesses, expectedServices, isPinned, SECRET } from './expected.js';
import { composeSchema, NOT_INSTALLED } from './kubernetes-tools.js';

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
  profiles?: string[];
  cpus?: number;
  mem_limit?: string;
  pids_limit?: number;
  networks?: string[];
  volumes?: unknown[];
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
}

const read = (path: string) => readFileSync(join(repositoryDirectory, path), 'utf8');
const text = read('docker-compose.yml');
const compose = readCompose('docker-compose.yml') as ComposeFile;
const services = Object.entries(compose.services);
const serviceNamed = (name: string): ComposeService => {
  const service = compose.services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};
/** The object store does not report uploads, so Kiln finds them by polling. */
const NOT_NEEDED = ['KILN_STORAGE_EVENTS_TOKEN'];
/** The default value of `${KILN_PORT:-8080}`. */
const withDefaults = (value: string) => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

describe('compose files', () => {
  const hasSchema = existsSync(composeSchema);
  const files = [
    'docker-compose.yml',
    'infra/docker/compose.former-store.yml',
    'infra/docker/compose.models.yml',
    'infra/docker/compose.ocr-data.yml',
    'infra/docker/compose.signed-urls.yml',
    'infra/observability/compose.observability.yml',
  ];
  for (const file of files) {
    const title = `are valid by the schema of the Compose Specification: ${file}`;
    (hasSchema ? it : it.skip)(hasSchema ? title : `${title} (the schema is ${NOT_INSTALLED})`, () => {
      const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
      const validate = ajv.compile(JSON.parse(readFileSync(composeSchema, 'utf8')) as object);
      validate(readCompose(file));
      expect(validate.errors).toBeNull();
    });
  }
});

describe('docker-compose.yml', () => {
  for (const process of expectedProcesses) {
    it(`runs ${process.name} with every variable it needs, and no secret it does not`, () => {
      const { image = '', environment = {} } = serviceNamed(process.name);
      expect(image).toMatch(new RegExp(`^kiln/${process.service}:`));
      expect(environment['KILN_ROLE']).toBe(process.role);
      // Missing variables.
      const needed = process.variables.filter((name) => !NOT_NEEDED.includes(name));
      expect(needed.filter((name) => !environment[name])).toStrictEqual([]);
      // Variables it does not need.
      expect(process.forbidden.filter((name) => name in environment)).toStrictEqual([]);
    });

    it(`gives ${process.name} more time than all phases of its shutdown take`, async () => {
      const { environment = {}, stop_grace_period: period } = serviceNamed(process.name);
      expect(period).toMatch(/^\d+s$/);
      expect(parseInt(period ?? '', 10)).toBeGreaterThan(await shutdownSeconds(process, environment));
    });

    it(`starts ${process.name} only after its schema is migrated`, () => {
      const condition = serviceNamed(process.name).depends_on?.[`migrate-${process.service}`]?.condition;
      expect(condition).toBe('service_completed_successfully');
    });
  }

  it('migrates every service once, with the command of its own image', () => {
    for (const service of expectedServices) {
      const migration = serviceNamed(`migrate-${service}`);
      expect(migration.command).toStrictEqual(['node', 'dist/migrate.js']);
      expect(migration.image ?? '').toMatch(new RegExp(`^kiln/${service}:`));
      expect(migration.restart).toBe('no');
      expect(Object.keys(migration.environment ?? {})).toStrictEqual(['DATABASE_URL']);
    }
  });

  for (const [name, service] of services) {
    it(`locks ${name} down: no root, no writable root, no capabilities, limits`, () => {
      expect(service.user ?? '').toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service.read_only).toBe(true);
      expect(service.cap_drop).toStrictEqual(['ALL']);
      expect(service.security_opt).toStrictEqual(['no-new-privileges:true']);
      expect([service.cpus, service.mem_limit, service.pids_limit]).not.toContain(undefined);
      expect(isPinned(withDefaults(service.image ?? ''))).toBe(true);
      if (service.restart !== 'no') expect(service.healthcheck).toBeTruthy();
    });
  }

  it('builds every Kiln image where it is used, so that compose never pulls one from a registry', () => {
    const pulled = services.filter(([, { image = '', build }]) => {
      const own = /^kiln\/(?!nats:)([a-z-]+):/.exec(image)?.[1];
      return own !== undefined && build?.args?.['SERVICE'] !== own;
    });
    expect(pulled.map(([name]) => name)).toStrictEqual([]);
  });

  it('has the profiles infra, which are the servers, and app, which is Kiln with its servers', () => {
    const inProfile = (profile: string) =>
      services.flatMap(([name, { profiles = [] }]) => (profiles.includes(profile) ? [name] : []));
    expect(inProfile('infra')).toStrictEqual(['postgres', 'nats', 'redis', 'object-store', 'create-bucket']);
    expect(inProfile('app')).toStrictEqual(services.map(([name]) => name));
  });

  it('publishes only the gateway’s port, on loopback', () => {
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toStrictEqual(['gateway']);
    expect(serviceNamed('gateway').ports).toStrictEqual(['127.0.0.1:${KILN_PORT:-8080}:8080']);
  });

  it('gives only the gateway, webhooks and connections access to outer networks', () => {
    const inner = new Set(['inside', 'objects', 'reading']);
    for (const name of inner) expect(compose.networks[name]?.internal).toBe(true);
    const outside = services.filter(([, { networks = [] }]) => networks.some((name) => !inner.has(name)));
    expect(outside.map(([name]) => name)).toStrictEqual(['gateway', 'connections', 'webhooks']);
  });

  it('lets only processes with the key of the object store reach it', () => {
    const inNetwork = services.flatMap(([name, { networks }]) => (networks?.includes('objects') ? [name] : []));
    const withKey = services.flatMap(([name, { environment = {} }]) =>
      environment['KILN_STORAGE_SECRET_ACCESS_KEY'] ? [name] : [],
    );
    expect(inNetwork).toStrictEqual(['object-store', 'create-bucket', ...withKey]);
    expect(serviceNamed('object-store').networks).toStrictEqual(['objects']);
  });

  it('gives extractors no secret, no address of a server, and a network with the workers only', () => {
    const { environment = {}, networks } = serviceNamed('extractor');
    expect(
      Object.keys(environment).filter((name) => SECRET.test(name) || /_(URL|ENDPOINT|PROXY)$/.test(name)),
    ).toStrictEqual([]);
    expect(networks).toStrictEqual(['reading']);
    const reading = services.filter(([, service]) => service.networks?.includes('reading')).map(([name]) => name);
    expect(reading).toStrictEqual(['jobs-worker', 'extractor']);
  });

  it('contains no secret: each comes from .env, and a missing one fails the start with a hint', () => {
    const fromFile = /\$\{KILN_\w+:\?set it in \.env, see [^}]+\}/;
    const written = services.flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([variable, value]) => SECRET.test(variable) && !fromFile.test(value))
        .map(([variable]) => `${name}: ${variable}`),
    );
    expect(written).toStrictEqual([]);
  });

  it('has an example .env with exactly the required variables, the profile app, and no usable value', () => {
    const example = read('infra/docker/compose.env.example');
    const assigned = [...example.matchAll(/^(\w+)=(.*)$/gm)];
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect(new Set(assigned.map(([, name]) => name))).toStrictEqual(required.add('COMPOSE_PROFILES'));
    const usable = assigned.filter(([, , value]) => value !== 'replace-me');
    expect(usable.map(([line]) => line)).toStrictEqual(['COMPOSE_PROFILES=app']);
  });
});
