/** The images of Kiln. Compose and Kubernetes run these and no others. */
import { repositoryDirectory, topology } from '@kiln/dev';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Image {
  readonly name: string;
  /** The workspace folder that it runs. */
  readonly folder: string;
  /** The version of that folder's package, which is the image's tag. */
  readonly version: string;
  /** Separated by blanks, for EXPOSE. */
  readonly ports: string;
}

const services = [...new Set(topology.map(({ service }) => service))];

function versionOf(folder: string): string {
  const manifest = readFileSync(join(repositoryDirectory, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

const folders: readonly Omit<Image, 'version'>[] = [
  ...services.map((name) => ({
    name,
    folder: `services/${name}`,
    ports: name === 'gateway' ? '8080 9100' : '9100',
  })),
  { name: 'object-store', folder: 'infra/object-store', ports: '9000' },
  { name: 'model-server', folder: 'packages/models', ports: '8090' },
];

export const images: readonly Image[] = folders.map((image) => ({ ...image, version: versionOf(image.folder) }));
