// Writes the client: a property for each resource.
import { capitalized, kebabCase } from './names.js';

/** `handwritten` are the resources that have a class in `resources`, which extends the generated one. */
export function clientFile(generated: readonly string[], handwritten: readonly string[]): string {
  const resources = [...new Set([...generated, ...handwritten])].sort();
  const folderOf = (resource: string) => (handwritten.includes(resource) ? '../resources' : '.');
  return [
    `import type { Transport } from '../core/transport.js';`,
    ...resources.map((name) => `import { ${capitalized(name)} } from '${folderOf(name)}/${kebabCase(name)}.js';`),
    '',
    '/** The resources of the API. */',
    'export class Resources {',
    ...resources.map((name) => `readonly ${name}: ${capitalized(name)};`),
    '',
    'constructor(transport: Transport) {',
    ...resources.map((name) => `this.${name} = new ${capitalized(name)}(transport);`),
    '}',
    '}',
    '',
    `export type { ${resources.map(capitalized).join(', ')} };`,
  ].join('\n');
}
