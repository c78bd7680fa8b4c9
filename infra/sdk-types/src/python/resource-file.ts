// Writes the two classes of a resource: one thin method for each operation, to call and to await.
import { capitalized } from '../names.js';
import { docstring, importLine, indented, TYPING } from './names.js';
import type { Keyword, PythonMethod } from './python-methods.js';

/** The names of all classes that the methods can mention. */
export interface Importable {
  models: readonly string[];
  params: readonly string[];
}

/** What differs between the two classes. */
interface Flavour {
  prefix: string;
  define: string;
  /** The value of a coroutine. */
  valueOf: (coroutine: string) => string;
}

const SYNC: Flavour = { prefix: '', define: 'def', valueOf: (coroutine) => `run(${coroutine})` };
const ASYNC: Flavour = { prefix: 'Async', define: 'async def', valueOf: (coroutine) => `await ${coroutine}` };

export function resourceFile(
  resource: string,
  methods: readonly PythonMethod[],
  { models, params }: Importable,
): string {
  const text = [SYNC, ASYNC].map((flavour) => classText(flavour, capitalized(resource), methods)).join('\n\n\n');
  return [
    'from __future__ import annotations',
    '',
    ...importLine(text, 'typing', TYPING),
    '',
    ...importLine(text, '..core.options', ['RequestOptions']),
    ...importLine(text, '..core.paging', ['AsyncPagedList', 'PagedList']),
    ...importLine(text, '..core.request', ['OMITTED', 'Omitted', 'Request', 'body_of']),
    ...importLine(text, '..core.resource', ['AsyncResource', 'Resource']),
    ...importLine(text, '..core.run', ['run']),
    ...importLine(text, '..core.streams', ['AsyncStream', 'Stream']),
    ...importLine(text, '.models', models),
    ...importLine(text, '.params', params),
    '',
    '',
    text,
  ].join('\n');
}

function classText(flavour: Flavour, name: string, methods: readonly PythonMethod[]): string {
  const texts = methods.flatMap((method) =>
    method.events === null
      ? [methodText(flavour, method)]
      : [methodText(flavour, method), streamText(flavour, method, method.events)],
  );
  return `class ${flavour.prefix}${name}(${flavour.prefix}Resource):\n${indented(texts.join('\n\n'))}`;
}

function methodText(flavour: Flavour, method: PythonMethod): string {
  const { define, prefix, valueOf } = flavour;
  const { name, result, entry } = method;
  const written = { method, name, doc: docOf(method) };
  switch (method.method.result.kind) {
    case 'bytes':
      return functionText({
        ...written,
        define,
        type: 'bytes',
        value: valueOf('self._core.content(request, options)'),
      });
    case 'json': {
      const value = valueOf(`self._core.json(request, ${result.reader}, options)`);
      return functionText({ ...written, define, type: result.type, value });
    }
    case 'list': {
      const pages = `self._core.pages(request, ${result.reader}, options)`;
      const value = `${prefix}PagedList(${pages}, lambda page: page.${method.method.result.items})`;
      return functionText({ ...written, define: 'def', type: `${prefix}PagedList[${result.type}, ${entry}]`, value });
    }
  }
}

function streamText(
  { prefix }: Flavour,
  method: PythonMethod,
  { type, reader }: { type: string; reader: string },
): string {
  return functionText({
    method,
    name: `${method.name}_stream`,
    doc: docstring(['The same, as the parts of the answer arrive.']),
    define: 'def',
    type: `${prefix}Stream[${type}]`,
    value: `${prefix}Stream(self._core.events(request, ${reader}, options))`,
  });
}

interface FunctionText {
  method: PythonMethod;
  define: string;
  name: string;
  doc: string;
  type: string;
  value: string;
}

const functionText = ({ method, define, name, doc, type, value }: FunctionText) =>
  [
    `${define} ${name}(`,
    indented(lines(parametersOf(method))),
    `) -> ${type}:`,
    indented([doc, `request = ${requestText(method)}`, `return ${value}`].join('\n')),
  ].join('\n');

const lines = (items: readonly string[]) => items.map((item) => `${item},`).join('\n');

function parametersOf({ parameters, body, query }: PythonMethod): string[] {
  const keywords = [...body, ...query];
  return [
    'self',
    ...parameters.map(({ name, type }) => `${name}: ${type}`),
    '*',
    ...keywords.filter(({ isRequired }) => isRequired).map(({ name, type }) => `${name}: ${type}`),
    ...keywords.filter(({ isRequired }) => !isRequired).map(optional),
    'options: Optional[RequestOptions] = None',
  ];
}

/** None means an omission, unless the API takes null. */
const optional = ({ name, type, takesNull }: Keyword) =>
  takesNull ? `${name}: Union[${type}, Omitted] = OMITTED` : `${name}: Optional[${type}] = None`;

function requestText({ method, parameters, body, query }: PythonMethod): string {
  const { verb, path, isKeyed, events } = method;
  const nulls = body.filter(({ takesNull }) => takesNull).map(({ wireName }) => `"${wireName}"`);
  const fields = [
    `"${verb}"`,
    `"${path}"`,
    parameters.length > 0 && `parameters=(${parameters.map(({ name }) => `${name},`).join(' ')})`,
    query.length > 0 && `query=${mapping(query)}`,
    method.body && `body=body_of(${mapping(body)}${nulls.length > 0 ? `, nulls=[${nulls.join(', ')}]` : ''})`,
    isKeyed && 'is_keyed=True',
    // What can be streamed takes long when it is not.
    events !== null && 'is_slow=True',
  ].filter((field) => field !== false && field !== null);
  const line = fields.join(', ');
  return line.length <= 80 && !line.includes('\n') ? `Request(${line})` : `Request(\n${indented(lines(fields))}\n)`;
}

function mapping(keywords: readonly Keyword[]): string {
  const pairs = keywords.map(({ wireName, name }) => `"${wireName}": ${name}`);
  const line = pairs.join(', ');
  return line.length <= 70 ? `{${line}}` : `{\n${indented(lines(pairs))}\n}`;
}

function docOf({ method: { summary, description, verb, path } }: PythonMethod): string {
  return docstring([summary, ...(description?.split('\n\n') ?? []), `\`${verb} ${path}\``]);
}
