/** Every file that lists services, and what a new one adds to it. */
import { addLine, append, insertAtEndOf, insertBefore, raiseNumbers, type Edit } from './edits.js';
import { addImporter, type Manifest } from './lock-file.js';
import { FIRST_VERSION, type Names } from './names.js';

export interface Place {
  readonly path: string;
  readonly edits: readonly Edit[];
}

/** KILN_DATABASE_CONNECTIONS: what one process may open. */
const POOL = 10;
/** During a rollout: the replicas, and one more pod. */
const CONNECTIONS = { compose: POOL, trial: 2 * POOL, production: 3 * POOL };

const MAX_CONNECTIONS = /\bmax_connections=(\d+)/g;

/** `manifest` is the package.json of the service. */
export function placesOf(names: Names, manifest: Manifest): Place[] {
  const lockFile = { path: 'pnpm-lock.yaml', edits: [addImporter(`services/${names.service}`, manifest)] };
  return [
    ...codePlaces(names),
    lockFile,
    ...composePlaces(names),
    ...kubernetesPlaces(names),
    ...monitoringPlaces(names),
  ];
}

function codePlaces({ service, noun }: Names): Place[] {
  const contracts = ['operations', 'schemas'].map((file) => `export * from './${service}/${file}.js';\n`).join('');
  const row = `| ${service} | ${noun}s | – | \`file.created\` |`;
  return [
    { path: 'packages/contracts/src/index.ts', edits: [append(contracts)] },
    {
      path: 'packages/contracts/src/core/ids.ts',
      edits: [insertAtEndOf('export const idPrefixes = {\n', '} as const;', `  ${noun}: '${noun}',\n`)],
    },
    {
      path: 'infra/dev/src/launcher/topology.ts',
      edits: [
        insertAtEndOf(
          'export const topology: readonly ProcessDescription[] = [\n',
          '];\n',
          `  { service: '${service}', role: 'api', needs: ['database', 'bus'] },\n`,
        ),
      ],
    },
    { path: 'tsconfig.json', edits: [addReference(`services/${service}`)] },
    // The rows of the table of services: four cells, the first in lower case. Its heading is `service`.
    { path: 'ARCHITECTURE.md', edits: [addLine(/^\| (?!service )[a-z]+ (?:[^|]*\|){4}$/, row)] },
  ];
}

function composePlaces({ service }: Names): Place[] {
  const variable = `KILN_NATS_PASSWORD_${service.toUpperCase()}`;
  const password = `\${${variable}:?set it in .env, see infra/docker/compose.env.example}`;
  const image = `image: kiln/${service}:${FIRST_VERSION}`;
  const migration = `  migrate-${service}:
    <<: *migration
    ${image}
    build: &build-${service} { context: ., dockerfile: infra/docker/Dockerfile, args: { SERVICE: ${service} } }

`;
  const process = `
  ${service}:
    <<: *process
    ${image}
    build: *build-${service}
    environment:
      <<: *base
      NATS_URL: nats://${service}:${password}@nats:4222
    depends_on:
      migrate-${service}: { condition: service_completed_successfully }
      nats: { condition: service_healthy }
`;
  return [
    {
      path: 'docker-compose.yml',
      edits: [
        insertBefore('  # ---- The processes of Kiln ----\n', migration),
        insertBefore('\nnetworks:\n', process),
        addLine(/^ {6}KILN_NATS_PASSWORD_[A-Z]+: /, `      ${variable}: '"${password}"'`),
        raiseNumbers(MAX_CONNECTIONS, 1, CONNECTIONS.compose),
      ],
    },
    {
      path: 'infra/docker/compose.env.example',
      edits: [
        insertBefore('; do\n#       echo "KILN_NATS_PASSWORD_', ` ${service.toUpperCase()}`),
        addLine(/^KILN_NATS_PASSWORD_[A-Z]+=/, `${variable}=replace-me`),
      ],
    },
  ];
}

function kubernetesPlaces({ service }: Names): Place[] {
  const settings = `  - { name: ${service}-settings, behavior: merge, envs: [servers.env] }`;
  const image = addLine(
    /^ {2}- \{ name: kiln\//,
    `  - { name: kiln/${service}, newName: registry.example.com/kiln/${service}, newTag: ${FIRST_VERSION} }`,
  );
  return [
    { path: 'k8s/base/kustomization.yaml', edits: [addLine(/^ {2}- [a-z-]+$/, `  - ${service}`)] },
    { path: 'k8s/migrations/kustomization.yaml', edits: [addLine(/^ {2}- [a-z-]+\.yaml$/, `  - ${service}.yaml`)] },
    {
      path: 'k8s/overlays/production/kustomization.yaml',
      edits: [image, insertBefore('replicas:\n', `${settings}\n`)],
    },
    { path: 'k8s/overlays/production/migrations/kustomization.yaml', edits: [image] },
    {
      path: 'k8s/overlays/local/kustomization.yaml',
      edits: [addLine(/^ {2}- \{ name: [a-z-]+, count: \d+ \}$/, `  - { name: ${service}, count: 1 }`)],
    },
    {
      path: 'k8s/helm/values/local.yaml',
      edits: [addLine(/^ {2}[a-z-]+: \{ replicas: 1 \}$/, `  ${service}: { replicas: 1 }`)],
    },
    {
      path: 'k8s/overlays/local/create-secrets.sh',
      edits: [
        addLine(/^database-url-[a-z]+=/, `database-url-${service}=$database`),
        addLine(/^nats-url-[a-z]+=/, `nats-url-${service}=$(nats_url ${service})`),
        addLine(
          /^KILN_NATS_PASSWORD_[A-Z]+=/,
          `KILN_NATS_PASSWORD_${service.toUpperCase()}="$(user_password ${service})"`,
        ),
      ],
    },
    {
      path: 'k8s/components/in-cluster-dependencies/postgres.yaml',
      edits: [raiseNumbers(MAX_CONNECTIONS, 1, CONNECTIONS.trial)],
    },
    { path: 'k8s/components/certificates/kustomization.yaml', edits: [insertBefore('|webhooks }', `|${service}`)] },
    {
      path: 'k8s/README.md',
      edits: [raiseNumbers(/^\| (?:as it is|with `components\/autoscaling`) +\| `(\d+)`/gm, 2, CONNECTIONS.production)],
    },
  ];
}

/** The alert for a service that does not answer, and the scrapes of docker-compose.yml. */
function monitoringPlaces({ service }: Names): Place[] {
  const missing = insertBefore(
    'absent(kiln_build_info{service="gateway"})',
    `absent(kiln_build_info{service="${service}"}) or `,
  );
  return [
    { path: 'infra/observability/prometheus/alerts.yml', edits: [missing] },
    { path: 'k8s/components/monitoring/alerts.yaml', edits: [missing] },
    {
      path: 'infra/observability/prometheus/prometheus.yml',
      edits: [insertBefore('gateway, files', `${service}, `)],
    },
  ];
}

const addReference =
  (path: string): Edit =>
  (text) => {
    const config = JSON.parse(text) as { references: { path: string }[] };
    config.references.push({ path });
    return `${JSON.stringify(config, null, 2)}\n`;
  };
