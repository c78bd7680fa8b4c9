// Writes the resources of the two clients, and the types of the events.
import { NO_EVENT } from '../events-file.js';
import { capitalized } from '../names.js';
import { componentOf, type OpenApi } from '../open-api.js';
import { snakeCase } from './names.js';
import type { PythonTypes } from './python-types.js';

/** `handwritten` are the resources that have a module in `resources`, whose classes extend the generated ones. */
export function clientFile(generated: readonly string[], handwritten: readonly string[]): string {
  const resources = [...new Set([...generated, ...handwritten])].sort();
  const moduleOf = (resource: string) =>
    (handwritten.includes(resource) ? '..resources' : '') + `.${snakeCase(resource)}`;
  const imports = resources.map(
    (name) => `from ${moduleOf(name)} import Async${capitalized(name)}, ${capitalized(name)}`,
  );
  const classText = (prefix: string) => [
    '',
    '',
    `class ${prefix}Resources:`,
    '    """The resources of the API."""',
    '',
    '    def __init__(self, core: Core) -> None:',
    ...resources.map((name) => `        self.${snakeCase(name)} = ${prefix}${capitalized(name)}(core)`),
  ];
  return [
    'from __future__ import annotations',
    '',
    'from ..core.transport import Core',
    ...imports,
    ...classText(''),
    ...classText('Async'),
  ].join('\n');
}

/** The text of `events.py`. Its models are added to `models`. */
export function eventsFile({ webhooks = {} }: OpenApi, models: PythonTypes): string {
  const events = Object.entries(webhooks).filter(([type]) => type !== NO_EVENT);
  const names = events.map(([type, { post }]) =>
    models.component(componentOf(post.requestBody?.content['application/json']?.schema, type)),
  );
  return [
    'from typing import Literal, Union',
    '',
    `from .models import ${names.join(', ')}`,
    '',
    `EventType = Literal[${events.map(([type]) => `"${type}"`).join(', ')}]`,
    '',
    `KilnEvent = Union[${names.join(', ')}]`,
    '"""An event of any type. Later versions of Kiln send more types: ignore what you do not know."""',
  ].join('\n');
}
