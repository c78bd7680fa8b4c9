// The profile `observability` of docker-compose.yml. Its containers were not run here.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';

interface Service {
  profiles: string[];
  image: string;
  user: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  ports?: string[];
  networks: string[];
  environment?: Record<string, string>;
  healthcheck?: object;
  cpus: number;
  mem_limit: string;
  pids_limit: number;
}

interface Compose {
  include?: string[];
  services: Record<string, Service>;
}

interface Scrapes {
  scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
}

const folder = 'infra/observability';
const read = <Content>(path: string) =>
  parse(readFileSync(join(repositoryDirectory, path), 'utf8'), { merge: true, maxAliasCount: -1 }) as Content;
const base = read<Compose>('docker-compose.yml');
const { services } = read<Compose>(`${folder}/compose.observability.yml`);

describe('compose.observability.yml', () => {
  it.each(Object.entries(services))(
    'locks %s down: no root, no writable root, no capabilities, limits',
    (_name, service) => {
      expect(service.profiles).toStrictEqual(['observability']);
      expect(service.image).toMatch(/^[a-z/-]+:v?\d+\.\d+\.\d+$/);
      expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect([service.read_only, service.cap_drop]).toStrictEqual([true, ['ALL']]);
      expect(service.security_opt).toStrictEqual(['no-new-privileges:true']);
      expect([service.cpus, service.mem_limit, service.pids_limit]).not.toContain(undefined);
    },
  );

  it('is a part of docker-compose.yml, with a health check for every image that has a program for one', () => {
    expect(base.include).toStrictEqual([`${folder}/compose.observability.yml`]);
    const checked = Object.entries(services).flatMap(([name, { healthcheck }]) => (healthcheck ? [name] : []));
    expect(checked).toStrictEqual(['prometheus', 'grafana']);
  });

  it('sends traces from the collector, which Kiln reaches, to Tempo, which Grafana reads', () => {
    const collector = read<{ exporters: { otlp_http: { endpoint: string } }; receivers: object }>(
      `${folder}/traces/collector.yml`,
    );
    const tempo = read<{ server: object; distributor: object }>(`${folder}/traces/tempo.yml`);
    const sources = read<{ datasources: { url: string }[] }>(`${folder}/grafana/provisioning/datasources/tempo.yml`);
    const otlp = { otlp: { protocols: { http: { endpoint: '0.0.0.0:4318' } } } };
    expect([collector.receivers, tempo.distributor]).toStrictEqual([otlp, { receivers: otlp }]);
    expect(collector.exporters.otlp_http.endpoint).toBe('http://tempo:4318');
    expect([sources.datasources[0]?.url, tempo.server]).toStrictEqual([
      'http://tempo:3200',
      { http_listen_port: 3200 },
    ]);
    expect([services['collector']?.networks, services['tempo']?.networks]).toStrictEqual([
      ['inside', 'watching'],
      ['watching'],
    ]);
  });

  it('publishes Grafana on loopback, and keeps it away from the networks of Kiln', () => {
    expect(services['prometheus']?.ports).toBeUndefined();
    expect(services['grafana']?.ports).toStrictEqual(['127.0.0.1:${KILN_GRAFANA_PORT:-3000}:3000']);
    expect(services['grafana']?.networks).not.toContain('inside');
  });

  it('scrapes every process of docker-compose.yml but the extractor, which no other container may reach', () => {
    const watched = Object.entries(base.services).filter(([, { environment = {} }]) => environment['KILN_HEALTH_PORT']);
    const targets = read<Scrapes>(`${folder}/prometheus/prometheus.yml`).scrape_configs.flatMap(
      ({ dns_sd_configs: found }) => found,
    );
    expect(targets.flatMap(({ names }) => names).toSorted()).toStrictEqual(
      watched.flatMap(([name]) => (name === 'extractor' ? [] : [name])).toSorted(),
    );
    expect(targets.map(({ port }) => port)).toStrictEqual([9_100]);
  });
});
