/** `npm run new:service <name> "<what it is for>" [noun]`: creates a service, installs its dependencies, and prints what comes next. */
import { repositoryDirectory } from '@kiln/dev';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFiles } from './format-files.js';
import { generateService } from './generate-service.js';
import { readNames, type Names } from './names.js';
import { NewServiceError } from './new-service-error.js';

try {
  const { packageManager } = readManifest();
  const time = Math.floor(Date.now() / 1_000) * 1_000;
  const names = readNames(process.argv.slice(2), { time });
  const { created, changed } = generateService(repositoryDirectory, names);
  formatFiles(repositoryDirectory, [...created, ...changed]);
  console.log(nextSteps(names, created.length, changed));
  install(packageManager);
} catch (thrown) {
  if (!(thrown instanceof NewServiceError)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}

function readManifest() {
  const text = readFileSync(join(repositoryDirectory, 'package.json'), 'utf8');
  return JSON.parse(text) as { packageManager: string };
}

function install(packageManager: string): void {
  // npx has fetched the pinned pnpm, so pnpm must not look for that version.
  const words = ['-y', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--config.pmOnFail=ignore'];
  execFileSync('npx', words, { cwd: repositoryDirectory, stdio: 'inherit' });
}

function nextSteps({ service, noun }: Names, count: number, changed: readonly string[]): string {
  const steps = [
    [`npm run build && npm run jest -- services/${service}/dist`, 'its specs'],
    ['npm start', 'runs it with the others'],
    ['docs/add-an-endpoint.md, step 4', 'no route of the gateway leads to it yet'],
    ['ARCHITECTURE.md and README.md', 'draw it into the pictures'],
    ['the Secret kiln-secrets of a running cluster', `add database-url-${service}`],
  ];
  return `services/${service}: ${count} files created, with a first feature: ${noun}s.
Added to:
${changed.map((path) => `  ${path}`).join('\n')}

Next, see docs/contributing.md, "Add a service":
${steps.map(([where = '', what]) => `  ${where.padEnd(64)} # ${what}`).join('\n')}
`;
}
