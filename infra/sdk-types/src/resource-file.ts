// Writes the class of a resource: one thin method for each operation.
import { capitalized } from './names.js';
import type { Method } from './methods.js';

export function resourceFile(resource: string, methods: readonly Method[]): string {
  const text = methods.map(methodText).join('\n\n');
  const types = ['Query', 'PathParameters', 'Schemas'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const lines = [
    types.length > 0 && `import type { ${types.join(', ')} } from '../core/operation-types.js';`,
    text.includes(': List<') && `import type { List } from '../core/list.js';`,
    `import type { RequestOptions } from '../core/options.js';`,
    `import type { Transport } from '../core/transport.js';`,
    '',
    `export class ${capitalized(resource)} {`,
    `constructor(protected readonly transport: Transport) {}`,
    '',
    text,
    '}',
  ];
  return lines.filter((line) => line !== false).join('\n');
}

function methodText(method: Method): string {
  const texts = [
    `${comment(method)}\n${signature(method, method.method, resultType(method))} {\nreturn ${call(method)};\n}`,
  ];
  if (method.events !== null) {
    const type = `AsyncGenerator<Schemas['${method.events}'], void, undefined>`;
    const name = `${method.method}Stream`;
    const note = `/** The same, as the parts of the answer arrive. Leaving the loop ends the request. */`;
    texts.push(
      `${note}\n${signature(method, name, type)} {\nreturn this.transport.eventsOf(${request(method)}, options);\n}`,
    );
  }
  return texts.join('\n\n');
}

function signature({ pathParameters, body, query, events, operationId }: Method, name: string, result: string): string {
  const parameters = pathParameters.map(({ name: parameter, type }) => `${camelCase(parameter)}: ${type}`);
  if (body) {
    const type = events === null ? `Schemas['${body.component}']` : `Omit<Schemas['${body.component}'], 'stream'>`;
    parameters.push(body.required ? `body: ${type}` : `body: ${type} = {}`);
  }
  if (query.length > 0) parameters.push(`query: Query<'${operationId}'> = {}`);
  return `${name}(${[...parameters, 'options: RequestOptions = {}'].join(', ')}): ${result}`;
}

function resultType({ result }: Method): string {
  if (result.kind === 'bytes') return 'Promise<Blob>';
  const page = `Schemas['${result.component}']`;
  return result.kind === 'json' ? `Promise<${page}>` : `List<${page}, ${page}['${result.items}'][number]>`;
}

function call(method: Method): string {
  const { result } = method;
  if (result.kind === 'list') return `this.transport.list(${request(method)}, '${result.items}', options)`;
  return `this.transport.${result.kind}(${request(method)}, options)`;
}

function request({ verb, path, pathParameters, body, query, isKeyed, events }: Method): string {
  const fields = [
    `method: '${verb}'`,
    `path: '${path}'`,
    pathParameters.length > 0 && `parameters: [${pathParameters.map(({ name }) => camelCase(name)).join(', ')}]`,
    query.length > 0 && 'query',
    body && 'body',
    isKeyed && 'isKeyed: true',
    // What can be streamed takes long when it is not.
    events !== null && 'isSlow: true',
  ];
  return `{ ${fields.filter(Boolean).join(', ')} }`;
}

function comment({ summary, description, verb, path }: Method): string {
  const paragraphs = [summary, ...(description?.split('\n\n') ?? []), `\`${verb} ${path}\``];
  return `/**\n${paragraphs.map((paragraph) => ` * ${paragraph.replaceAll('\n', '\n * ')}`).join('\n *\n')}\n */`;
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
