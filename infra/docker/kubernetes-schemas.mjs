// Writes JSON schemas for kubeconform, one file for each kind of object, from the OpenAPI description of Kubernetes and from custom resource
// definitions. Unknown fields are refused, as the API server does with `fieldValidation: Strict`.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const KIND = 'x-kubernetes-group-version-kind';
const text = { type: 'string' };

/** `files` are `swagger.json` and definitions. The folder is complete or absent. */
export function writeSchemas(files, folder) {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  for (const { group, version, kind, schema } of files.flatMap(schemasOf)) {
    // For kubeconform, the group of the objects without one is their version.
    writeFileSync(join(partial, `${group || version}_${version}_${kind.toLowerCase()}.json`), JSON.stringify(schema));
  }
  renameSync(partial, folder);
}

function schemasOf(file) {
  const content = parse(readFileSync(file, 'utf8'));
  return content.definitions ? schemasOfKubernetes(content.definitions) : schemasOfCustomResource(content.spec);
}

function schemasOfKubernetes(original) {
  const definitions = Object.fromEntries(Object.entries(original).map(([name, value]) => [name, strict(value)]));
  definitions[QUANTITY] = { type: ['string', 'number'] };
  return Object.entries(original)
    .filter(([, { [KIND]: kinds = [] }]) => kinds.length === 1)
    .map(
      ([
        name,
        {
          [KIND]: [{ group, version, kind }],
        },
      ]) => {
        const used = new Map();
        collect(name, definitions, used);
        const schema = { $ref: `#/definitions/${name}`, definitions: Object.fromEntries(used) };
        return { group, version, kind, schema };
      },
    );
}

/** Adds the definition and those that it refers to. */
function collect(name, definitions, used) {
  if (used.has(name)) return;
  used.set(name, definitions[name]);
  const references = JSON.stringify(definitions[name]).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g);
  for (const [, other] of references) collect(other, definitions, used);
}

function schemasOfCustomResource({ group, names: { kind }, versions }) {
  return versions.map(({ name: version, schema: { openAPIV3Schema } }) => {
    const schema = strict(openAPIV3Schema);
    Object.assign(schema.properties, { apiVersion: text, kind: text, metadata: { type: 'object' } });
    return { group, version, kind, schema };
  });
}

/** Refuses unknown fields, and accepts numbers where Kubernetes does. */
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema.format === 'int-or-string') return { type: ['string', 'integer'] };
  const result = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  const isOpen = result.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'];
  // A field of the name `properties` is a schema, and has no `type` that is a text.
  if (typeof schema.type === 'string' && schema.properties && !isOpen) result.additionalProperties = false;
  return result;
}
