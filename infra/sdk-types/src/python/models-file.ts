// Writes the classes of the responses and events, and the types of what requests take.
import type { Schema } from '../open-api.js';
import { docstring, importLine, indented, namesOf, pascalCase, snakeCase, TYPING } from './names.js';
import type { PythonTypes } from './python-types.js';

/** The dataclasses. A field that a response can lack is None then. */
export function modelsFile(types: PythonTypes): string {
  const classes = [...types.classes].map(([name, schema]) => modelText(types, name, schema));
  const unions = [...types.unions].map(([name, members]) => unionText(name, members));
  const text = [...classes, ...unions].map((one) => `\n\n${one}`).join('\n');
  return [
    'from __future__ import annotations',
    '',
    ...importLine(text, 'dataclasses', ['dataclass', 'field']),
    ...importLine(text, 'typing', TYPING),
    '',
    ...importLine(text, '..core.decode', ['Model', 'decode']),
    text,
  ].join('\n');
}

function modelText(types: PythonTypes, name: string, schema: Schema): string {
  const { properties = {}, required = [] } = schema;
  const all = namesOf(properties).map((property) => {
    const inner = properties[property] ?? {};
    const type = types.typeOf(inner, name + pascalCase(property));
    return { property, type, description: inner.description, isRequired: required.includes(property) };
  });
  // A field with a default has to follow those without one.
  const fields = [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
  const lines = fields.map(({ property, type, description, isRequired }) => {
    const attribute = snakeCase(property);
    const metadata = attribute === property ? '' : `metadata={"json": "${property}"}`;
    const options = [isRequired ? '' : 'default=None', metadata].filter(Boolean).join(', ');
    const value = metadata ? ` = field(${options})` : isRequired ? '' : ' = None';
    const line = `${attribute}: ${isRequired || type.startsWith('Optional[') ? type : `Optional[${type}]`}${value}`;
    return description === undefined ? line : `${line}\n${docstring([description])}`;
  });
  const { description } = schema;
  const head = `@dataclass\nclass ${name}(Model):`;
  return `${head}\n${indented([...(description === undefined ? [] : [docstring([description]), '']), ...lines, ...(lines.length === 0 ? ['pass'] : [])].join('\n'))}`;
}

/** A choice of classes, and the function that reads it. */
function unionText(name: string, members: readonly string[]): string {
  return [
    `${name} = Union[${members.join(', ')}]`,
    '',
    '',
    `def ${readerOfUnion(name)}(value: object) -> ${name}:`,
    `    result: ${name} = decode(${name}, value)`,
    '    return result',
  ].join('\n');
}

export const readerOfUnion = (name: string): string => `${snakeCase(name)}_from_json`;

/** The typed dictionaries. */
export function paramsFile(types: PythonTypes): string {
  const classes = [...types.classes].flatMap(([name, schema]) => ['', '', ...paramTexts(types, name, schema)]);
  const text = classes.join('\n');
  return ['from __future__ import annotations', '', ...importLine(text, 'typing', TYPING), text].join('\n');
}

/** Python 3.9 has no `NotRequired`: the required keys are in a class that the other extends. */
function paramTexts(
  types: PythonTypes,
  name: string,
  { properties = {}, required = [], description }: Schema,
): string[] {
  const names = Object.keys(properties);
  const line = (property: string) => {
    const inner = properties[property] ?? {};
    const text = `${property}: ${types.typeOf(inner, name + pascalCase(property))}`;
    return inner.description === undefined ? text : `${text}\n${docstring([inner.description])}`;
  };
  const needed = names.filter((property) => required.includes(property)).map(line);
  const others = names.filter((property) => !required.includes(property)).map(line);
  const doc = description === undefined ? [] : [docstring([description]), ''];
  const classText = (head: string, lines: readonly string[]) =>
    `class ${head}:\n${indented([...doc, ...(lines.length === 0 ? ['pass'] : lines)].join('\n'))}`;
  if (needed.length === 0) return [classText(`${name}(TypedDict, total=False)`, others)];
  if (others.length === 0) return [classText(`${name}(TypedDict)`, needed)];
  return [
    classText(`_${name}Required(TypedDict)`, needed),
    '',
    '',
    classText(`${name}(_${name}Required, total=False)`, others),
  ];
}
