import type { Schemas } from '@kiln/sdk';
import type { CurlRequest } from '../../../ui/curl.js';

type Logged = Pick<Schemas['ListRequestsResponse']['logs'][number], 'method' | 'path'>;

const METHODS_WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** The request again, as far as the log has it: it has neither the query nor the body. */
export const requestOf = ({ method, path }: Logged): CurlRequest => ({
  method,
  path,
  ...(METHODS_WITH_BODY.includes(method) && { body: '@body.json' }),
});
