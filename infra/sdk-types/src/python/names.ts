// Names as Python writes them (PEP 8).

/** `createUpload` becomes `create_upload`, `embedding-model` becomes `embedding_model`. */
export const snakeCase = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll(/\W+/g, '_')
    .toLowerCase();

/** `next_cursor` becomes `NextCursor`, and `file.created` becomes `FileCreated`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[\W_]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The names of `properties` that a class has: an older name in camel case is left out if it has a successor in snake case. */
export const namesOf = (properties: object): string[] =>
  Object.keys(properties).filter((name) => snakeCase(name) === name || !(snakeCase(name) in properties));

export const singularOf = (plural: string): string =>
  plural.replace(/ies$/, 'y').replace(/(?:(?<=ch|sh|x)es|(?<!s|u)s)$/, '');

/** A literal of Python. */
export const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? 'None' : JSON.stringify(value);

export const indented = (text: string, spaces = 4): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(spaces) + line))
    .join('\n');

/** A docstring. Text that could end it early is escaped. */
export function docstring(paragraphs: readonly string[]): string {
  const text = paragraphs.join('\n\n').replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  return text.includes('\n') ? `"""${text}\n"""` : `"""${text}"""`;
}

/** The import of those `names` that the text contains. Empty without any. */
export function importLine(text: string, module: string, names: readonly string[]): string[] {
  const found = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  if (found.length === 0) return [];
  const line = `from ${module} import ${found.join(', ')}`;
  return line.length <= 100
    ? [line]
    : [`from ${module} import (\n${found.map((name) => `    ${name},`).join('\n')}\n)`];
}

export const TYPING = ['Dict', 'List', 'Literal', 'Mapping', 'Optional', 'Sequence', 'TypedDict', 'Union'];
