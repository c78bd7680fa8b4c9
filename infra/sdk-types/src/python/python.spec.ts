import { describe, expect, it } from '@jest/globals';
import { methodsOf } from '../methods.js';
import type { DocumentedOperation, OpenApi, Schema } from '../open-api.js';
import { modelsFile, paramsFile } from './models-file.js';
import { snakeCase } from './names.js';
import { pythonMethodOf } from './python-methods.js';
import { INPUT, OUTPUT, PythonTypes } from './python-types.js';
import { resourceFile } from './resource-file.js';

const STRING: Schema = { type: 'string' };
const typesOf = (schemas: Record<string, Schema>, dialect = OUTPUT) => new PythonTypes(schemas, dialect);

describe('the Python type of a schema', () => {
  it.each<[Schema, string]>([
    [{ type: ['integer', 'null'] }, 'Optional[int]'],
    [{ anyOf: [STRING, { type: 'null' }] }, 'Optional[str]'],
    [{ anyOf: [{}, STRING] }, 'str'],
    [{ type: 'string', enum: ['a', 'b'] }, 'Literal["a", "b"]'],
    [{ const: true }, 'Literal[True]'],
    [{ type: 'array', items: STRING }, 'List[str]'],
    [{ type: 'object', additionalProperties: { anyOf: [STRING, { type: 'null' }] } }, 'Dict[str, Optional[str]]'],
    [{ type: 'object' }, 'Dict[str, object]'],
    [{}, 'object'],
  ])('of %j is %s', (schema, expected) => {
    expect(typesOf({}).typeOf(schema, 'Place')).toBe(expected);
  });

  it('is a class where it is an object, named after its place, or after what tells it apart', () => {
    const part = (type: string): Schema => ({ type: 'object', properties: { type: { const: type } } });
    const types = typesOf({});
    const object: Schema = { type: 'object', properties: { a: STRING } };
    expect(types.typeOf({ type: 'array', items: object }, 'Files')).toBe('List[File]');
    expect(types.typeOf({ oneOf: [part('done'), part('chunk')] }, 'Part')).toBe('Union[PartDone, PartChunk]');
    expect(() => types.typeOf({ type: 'object', properties: {} }, 'File')).toThrow(
      'two classes would have the name File',
    );
  });
});

describe('a class', () => {
  const schema: Schema = { type: 'object', properties: { b: STRING, requestId: STRING }, required: ['requestId'] };

  it('of a response has its required fields first, and their names in JSON', () => {
    const types = typesOf({ Thing: schema });
    types.component('Thing');
    const text = modelsFile(types);
    expect(text).toContain('    request_id: str = field(metadata={"json": "requestId"})\n    b: Optional[str] = None');
  });

  it('of a request names what it requires in a class that it extends', () => {
    const types = typesOf({ Thing: schema }, INPUT);
    types.component('Thing');
    const text = paramsFile(types);
    expect(text).toContain('class _ThingRequired(TypedDict):\n    requestId: str');
    expect(text).toContain('class Thing(_ThingRequired, total=False):\n    b: str');
  });
});

describe('a method', () => {
  const documentOf = (
    properties: Record<string, Schema>,
    parameters: DocumentedOperation['parameters'] = [],
  ): OpenApi => ({
    info: { version: '1' },
    components: { schemas: { Thing: { type: 'object', properties } } },
    paths: {
      '/v1/things/{id}': {
        patch: {
          operationId: 'updateThing',
          tags: ['Things'],
          summary: 'Update a thing.',
          parameters: [{ name: 'id', in: 'path', schema: STRING }, ...parameters],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        },
      },
    },
  });
  const textOf = (document: OpenApi) => {
    const types = { models: typesOf(document.components.schemas), params: typesOf(document.components.schemas, INPUT) };
    const methods = methodsOf(document).map((method) => pythonMethodOf(document, method, types));
    return resourceFile('things', methods, { models: [...types.models.classes.keys()], params: [] });
  };

  it('takes ids by position and all else by keyword; null is not an omission', () => {
    const text = textOf(documentOf({ name: STRING, owner: { type: ['string', 'null'] } }));
    const parameters =
      'self,\n        id: str,\n        *,\n        name: Optional[str] = None,\n        owner: Union[Optional[str], Omitted] = OMITTED,';
    expect(text).toContain(`    def update(\n        ${parameters}`);
    expect(text).toContain(`    async def update(\n        ${parameters}`);
    expect(text).toContain('body=body_of({"name": name, "owner": owner}, nulls=["owner"])');
  });

  it('with two parameters of the same name is an error', () => {
    expect(() => textOf(documentOf({ id: STRING }))).toThrow('updateThing has two parameters with the name id');
    const query = [{ name: 'name', in: 'query', schema: STRING }];
    expect(() => textOf(documentOf({ name: STRING }, query))).toThrow('with the name name');
    expect(() => textOf(documentOf({ options: STRING }))).toThrow('with the name options');
  });

  it('has no second parameter for the older name of a field', () => {
    expect(textOf(documentOf({ top_k: STRING, topK: STRING }))).not.toContain('topK');
  });
});

it('names are in snake case', () => {
  expect(['createUpload', 'getMe', 'embedding-model', 'topK', 'sha256'].map(snakeCase)).toStrictEqual([
    'create_upload',
    'get_me',
    'embedding_model',
    'top_k',
    'sha256',
  ]);
});
