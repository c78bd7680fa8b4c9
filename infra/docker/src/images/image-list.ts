/** The images of Kiln. Compose and Kubernetes run these and no others. */
import { topology } from '@kiln/dev';

export interface Image {
  readonly name: string;
  /** The workspace folder that it runs. */
  readonly folder: string;
  /** Separated by blanks, for EXPOSE. */
  readonly ports: string;
}

const services = [...new Set(topology.map(({ service }) => service))];

export const images: readonly Image[] = [
  ...services.map((name) => ({
    name,
    folder: `services/${name}`,
    ports: name === 'gateway' ? '8080 9100' : '9100',
  })),
  { name: 'object-store', folder: 'infra/object-store', ports: '9000' },
  { name: 'model-server', folder: 'packages/models', ports: '8090' },
];
