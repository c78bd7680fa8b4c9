// Writes the types of bodies, responses and parameters.
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { OpenApi, Parameter, Schema } from './open-api.js';

export async function typesFile(document: OpenApi): Promise<string> {
  const operations = Object.values(document.paths).flatMap((verbs) => Object.values(verbs));
  const parameters = operations.map(({ operationId, parameters: own = [] }) => [operationId, parametersSchema(own)]);
  return [
    await interfaceText('Schemas', withReferences(document.components.schemas)),
    await interfaceText('Parameters', Object.fromEntries(parameters)),
  ].join('\n');
}

/** An object within a schema that equals a named one, such as an event in the stream of events, becomes a reference to it. */
function withReferences(schemas: Record<string, Schema>): Record<string, Schema> {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const refer = (key: string, value: Schema | null) => {
    const name = key !== '' && value?.type === 'object' ? names.get(JSON.stringify(value)) : undefined;
    return name === undefined ? value : { $ref: `#/components/schemas/${name}` };
  };
  const shortened = (schema: Schema) => JSON.parse(JSON.stringify(schema), refer) as Schema;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, shortened(schema)]));
}

function parametersSchema(parameters: readonly Parameter[]): Schema {
  const places = ['query', 'path'].map((name) => ({ name, own: parameters.filter((each) => each.in === name) }));
  const used = places.filter(({ own }) => own.length > 0);
  return objectSchema(used.map(({ name, own }) => ({ name, required: true, schema: objectSchema(own) })));
}

const objectSchema = (properties: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(properties.map(({ name, schema = {} }) => [name, schema])),
  required: properties.flatMap(({ name = '', required }) => (required === true ? [name] : [])),
});

/** The schemas, as members of one interface. */
async function interfaceText(name: string, schemas: Record<string, Schema>): Promise<string> {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, components: { schemas } };
  const nodes = await openapiTypescript(withoutExamples(document) as never, {
    defaultNonNullable: false,
    silent: true,
  });
  const components = nodes.filter(ts.isInterfaceDeclaration).find((node) => node.name.text === 'components');
  const members = components?.members.find(ts.isPropertySignature)?.type as ts.TypeLiteralNode;
  return `export interface ${name} {\n${astToString([...members.members]).replaceAll('components["schemas"]', 'Schemas')}}`;
}

/** A property of a schema may have the name `example` or `pattern`: those have an object as their value. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !(name === 'examples' && Array.isArray(inner)) && name !== 'example')
      .map(([name, inner]) => [name, withoutExamples(inner)]),
  );
}
