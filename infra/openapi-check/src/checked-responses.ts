// Validates responses against the gateway's OpenAPI document: status, media type and body.
import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Documented {
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

const DOCUMENT = 'openapi';
/** Statuses that any request may return, so that rows need not list them. */
const EVERYWHERE = new Set([400, 404, 405, 413]);

export interface ReadResponse {
  status: number;
  headers: Headers;
  text: string;
}

export class CheckedResponses {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly validators = new Map<string, ValidateFunction>();
  /** `operationId status` of all validated responses. */
  readonly seen = new Set<string>();

  constructor(
    private readonly document: { paths: Record<string, Record<string, Documented & { operationId: string }>> },
  ) {
    this.ajv.addSchema(document, DOCUMENT);
  }

  static async of(gatewayUrl: string): Promise<CheckedResponses> {
    const response = await fetch(`${gatewayUrl}/openapi.json`);
    return new CheckedResponses((await response.json()) as never);
  }

  /** Throws unless the document describes the response. Returns its parsed body. */
  async check(method: string, path: string, response: Response): Promise<Record<string, unknown>> {
    const text = await response.clone().text();
    return this.checkText(method, path, { status: response.status, headers: response.headers, text });
  }

  /** The same for a response whose body was already read. */
  checkText(method: string, path: string, response: ReadResponse): Record<string, unknown> {
    const hasNoBody = response.status === 304;
    const body = (hasNoBody ? {} : JSON.parse(response.text)) as Record<string, unknown>;
    const title = `${method} ${path} ${response.status}`;
    if (response.status >= 400) expect(body['requestId']).toBe(response.headers.get('x-request-id'));
    const found = this.find(method, path);
    const documented = found?.operation.responses[response.status];
    if (!found || !documented) {
      if (!EVERYWHERE.has(response.status))
        throw new Error(`${title} is not in the OpenAPI document: ${response.text}`);
      this.validate('#/components/schemas/Error', body, title);
      return body;
    }
    this.seen.add(`${found.operation.operationId} ${response.status}`);
    if (hasNoBody) {
      expect(response.text).toBe('');
      return body;
    }
    expect(response.headers.get('content-type') ?? '').toMatch(/^application\/json/);
    const template = found.template.replaceAll('~', '~0').replaceAll('/', '~1');
    const pointer = `#/paths/${template}/${method.toLowerCase()}/responses/${response.status}/content/application~1json/schema`;
    this.validate(encodeURI(pointer), body, title);
    return body;
  }

  private find(method: string, path: string) {
    const parts = (path.split('?')[0] ?? '').split('/');
    for (const [template, operations] of Object.entries(this.document.paths)) {
      const wanted = template.split('/');
      const fits =
        wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at]);
      const operation = operations[method.toLowerCase()];
      if (fits && operation) return { template, operation };
    }
    return null;
  }

  private validate(pointer: string, body: unknown, title: string): void {
    let validator = this.validators.get(pointer);
    if (!validator) {
      validator = this.ajv.compile({ $ref: `${DOCUMENT}${pointer}` });
      this.validators.set(pointer, validator);
    }
    const problems = validator(body) ? null : this.ajv.errorsText(validator.errors);
    expect({ title, body, problems }).toStrictEqual({ title, body, problems: null });
  }
}
