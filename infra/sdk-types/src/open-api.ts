// The part of an OpenAPI 3.1 document that the generator reads (https://spec.openapis.org/oas/v3.1.1.html).

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
}

export interface Content {
  schema: Schema;
  example?: unknown;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  schema?: Schema;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { headers?: unknown; content?: Record<string, Content> }>;
}

export interface OpenApi {
  info: { version: string };
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks?: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

/** The name of the component that a schema refers to. */
export function componentOf(schema: Schema | undefined, where: string): string {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? '') ?? [];
  if (name === undefined) throw new Error(`${where} is no reference to a component of the document`);
  return name;
}
