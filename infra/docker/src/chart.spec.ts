// Real: helm, kustomize and kubeconform, where they are installed.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryDirectory } from '@kiln/dev';
import { parse } from 'yaml';
import { chartFiles, chartFolder } from './chart-objects.js';
import {
  buildWithKustomize,
  isInstalled,
  NOT_INSTALLED,
  objectsOf,
  renderWithHelm,
  schemaProblems,
  type Rendered,
} from './kubernetes-tools.js';

const root = join(repositoryDirectory, 'k8s');
const hasTools = isInstalled('helm', 'kustomize', 'kubeconform');
const title = (text: string) => (hasTools ? text : `${text} (${NOT_INSTALLED})`);
const check = hasTools ? it : it.skip;

/** The files of values, in the order in which an operator gives them. */
const VALUES = {
  local: ['local'],
  trial: ['local', 'trial'],
  production: ['production'],
  staging: ['production', 'staging'],
};
const valuesOf = (names: readonly string[]) => names.flatMap((name) => ['-f', join(root, `helm/values/${name}.yaml`)]);

/** Every part of the chart at once. */
const EVERYTHING = [
  'ingress.gateway.host=a.test',
  'ingress.storage-events.host=b.test',
  'gatewayApi.host=a.test',
  'gatewayApi.className=x',
  'gatewayApi.tlsSecret=y',
  'autoscaling.enabled=true',
  'autoscaling.gateway.max=7',
  'monitoring.enabled=true',
  'tracing.enabled=true',
  'image.pullSecrets={login}',
  'image.tag=1.2.3',
  'migrations.logins.files=files_login',
].flatMap((value) => ['--set', value]);

/**
 * What both write differently, without an effect: the suffixes with which kustomize names ConfigMaps, and the annotation and the suffix by which
 * the chart restarts pods and replaces Jobs.
 */
function normalized(object: Rendered): Rendered {
  const text = JSON.stringify(object)
    .replaceAll(/"([a-z-]+-(?:settings|config))-[a-z0-9]{10}"/g, '"$1"')
    .replaceAll(/"(migrate-[a-z]+-\d+-\d+-\d+)-[0-9a-f]{8}"/g, '"$1"');
  const copy = JSON.parse(text) as Rendered;
  const metadata = copy.spec?.template?.metadata as { annotations?: Record<string, string> } | undefined;
  if (metadata?.annotations?.['checksum/settings']) delete metadata.annotations;
  return copy;
}

const byName = (text: string) =>
  Object.fromEntries(
    objectsOf(text)
      .filter(({ kind }) => kind !== 'Namespace')
      .map((object) => normalized(object))
      .map((object) => [`${object.kind} ${object.metadata.name}`, object]),
  );

describe('the Helm chart', () => {
  it('has the objects of k8s/', () => {
    const different = chartFiles.filter(({ path, text }) => readFileSync(path, 'utf8') !== text);
    if (different.length > 0) throw new Error('run: npx tsc -b infra/docker && node infra/docker/dist/write-chart.js');
  });

  it('has the release of the images', () => {
    const { version, appVersion } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as Record<
      string,
      string
    >;
    const { version: release } = JSON.parse(readFileSync(join(repositoryDirectory, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect([version, appVersion]).toStrictEqual([release, release]);
  });

  for (const [overlay, names] of Object.entries(VALUES)) {
    check(title(`renders exactly the objects of the overlay ${overlay} and its migrations`), () => {
      const folder = join(root, 'overlays', overlay);
      const built = `${buildWithKustomize(folder)}\n---\n${buildWithKustomize(join(folder, 'migrations'))}`;
      const rendered = renderWithHelm(chartFolder, ...valuesOf(names));
      expect(byName(rendered)).toStrictEqual(byName(built));
      expect(schemaProblems(rendered)).toStrictEqual([]);
    });
  }

  check(title('renders objects that the schemas accept with every part enabled'), () => {
    const text = renderWithHelm(chartFolder, ...valuesOf(['local']), ...EVERYTHING);
    expect(schemaProblems(text)).toStrictEqual([]);
    const objects = byName(text);
    const { spec } = objects['Deployment gateway'] ?? {};
    expect(spec?.replicas).toBeUndefined();
    expect(spec?.template?.spec.imagePullSecrets).toStrictEqual([{ name: 'login' }]);
    expect(spec?.template?.spec.containers[0]?.image).toBe('kiln/gateway:1.2.3');
    const job = Object.entries(objects).find(([name]) => name.startsWith('Job migrate-files'))?.[1];
    expect(job?.spec?.template?.spec.containers[0]?.env?.at(-1)?.value).toBe('files_login');
    expect(objects['HorizontalPodAutoscaler gateway']?.spec?.maxReplicas).toBe(7);
    const extractor = objects['Deployment extractor']?.spec?.template?.spec.containers[0];
    expect(extractor?.env?.map(({ name }) => name).filter((name) => name.startsWith('OTEL'))).toStrictEqual([]);
    for (const kind of ['Gateway kiln', 'ScaledObject jobs-worker', 'PodMonitor kiln', 'Ingress storage-events']) {
      expect(objects).toHaveProperty([kind]);
    }
  });

  check(
    title('gives the pods of a process labels, and its service account annotations, for the identity of a cloud'),
    () => {
      const identity = [
        'podLabels.azure\\.workload\\.identity/use=true',
        'serviceAccountAnnotations.azure\\.workload\\.identity/client-id=id',
      ].flatMap((value) => ['--set-string', `processes.files.${value}`]);
      const addresses = [
        'destinations.sentinels.cidrs={10.0.0.0/24}',
        'destinations.sentinels.port=26379',
        'destinations.directory.cidrs={20.190.128.0/18}',
        'destinations.directory.port=443',
      ];
      const directory = addresses.flatMap((value) => ['--set', value]);
      const objects = byName(renderWithHelm(chartFolder, ...identity, ...directory));
      const labelsOf = (name: string) => objects[`Deployment ${name}`]?.spec?.template?.metadata.labels ?? {};
      expect(labelsOf('files')).toMatchObject({
        'azure.workload.identity/use': 'true',
        'app.kubernetes.io/name': 'files',
      });
      expect(labelsOf('gateway')).not.toHaveProperty(['azure.workload.identity/use']);
      const annotations = { 'azure.workload.identity/client-id': 'id' };
      expect(objects['ServiceAccount files']?.metadata).toMatchObject({ annotations });
      expect(objects['ServiceAccount gateway']?.metadata).not.toHaveProperty('annotations');
      const selectorOf = (name: string) => objects[`NetworkPolicy ${name}-address`]?.spec?.podSelector?.matchLabels;
      expect(selectorOf('directory')).toStrictEqual({ 'azure.workload.identity/use': 'true' });
      expect(selectorOf('sentinels')).toStrictEqual({ 'kiln.dev/needs-cache': 'true' });
    },
  );

  check(title('deploys another version of one service, with its migration'), () => {
    const text = renderWithHelm(chartFolder, ...valuesOf(['local']), '--set', 'image.tags.files=1.2.3');
    const deployed = [...text.matchAll(/image: kiln\/([a-z-]+):(\S+)/g)].map(([, image = '', tag]) => ({ image, tag }));
    const others = deployed.filter(({ tag }) => tag === '1.2.3').map(({ image }) => image);
    expect([others, deployed.length > others.length]).toStrictEqual([['files', 'files'], true]);
  });

  check(title('restarts only the process whose setting has changed'), () => {
    const annotationsOf = (...words: string[]) =>
      new Map(
        objectsOf(renderWithHelm(chartFolder, ...words))
          .filter(({ kind }) => kind === 'Deployment')
          .map((object) => [object.metadata.name, JSON.stringify(object.spec?.template?.metadata)]),
      );
    const before = annotationsOf();
    const after = annotationsOf('--set-string', 'settings.gateway.KILN_RATE_LIMIT_RPS=7');
    const changed = [...before].filter(([name, metadata]) => after.get(name) !== metadata);
    expect([before.size, changed.map(([name]) => name)]).toStrictEqual([9, ['gateway']]);
  });

  for (const [problem, words, message] of [
    ['a misspelled value', ['--set', 'setings.shared.KILN_X=1'], /setings/],
    ['a setting that is not a text', ['--set', 'settings.gateway.KILN_RATE_LIMIT_RPS=7'], /string/],
    ['settings of an unknown process', ['--set-string', 'settings.gatway.KILN_X=1'], /gatway is not a process/],
    ['values of an unknown process', ['--set', 'processes.gatway.replicas=1'], /gatway is not a process/],
    ['the tag of an unknown image', ['--set-string', 'image.tags.gatway=1.2.3'], /image\.tags\.gatway is not an image/],
    ['a shared setting that no process has', ['--set-string', 'settings.shared.KILN_X=1'], /settings\.shared\.KILN_X/],
    ['a destination without addresses', ['--set', 'destinations.bus.port=4222'], /cidrs/],
  ] as const) {
    check(title(`refuses ${problem}`), () => {
      expect(() => renderWithHelm(chartFolder, ...words)).toThrow(message);
    });
  }
});
