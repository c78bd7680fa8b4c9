// A request of the console as text: for a terminal and for a program. Users copy it and run it with a key of theirs.
import { Kiln } from '@kiln/sdk';
import type { Scope } from '../api/me.js';
import type { Commands } from './command-hint.js';
import { curlOf, type CurlRequest } from './curl.js';

type MethodOf<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Resource] &
  string;

/** A method of the SDK, such as `files.get`. */
type SdkMethod = { [Name in keyof Kiln]: `${Name & string}.${MethodOf<Kiln[Name]>}` }[keyof Kiln];

export interface ApiCall {
  /** What it does, as the button says. */
  title: string;
  scope: Scope;
  sdk: SdkMethod;
  /** The arguments of the method. */
  args: readonly unknown[];
}

/** Returns a function that describes calls that need the scope. */
export const callsWith =
  (scope: Scope) =>
  (title: string, sdk: SdkMethod, ...args: readonly unknown[]): ApiCall => ({ title, scope, sdk, args });

export async function commandsOf(origin: string, call: ApiCall): Promise<Commands> {
  return {
    curl: curlOf(origin, await requestOf(origin, call)),
    sdk: `import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: '${origin}', apiKey: process.env.KILN_API_KEY });
await kiln.${call.sdk}(${call.args.map((arg) => JSON.stringify(arg, null, 2)).join(', ')});`,
  };
}

/** The request that the method of the SDK makes. It is not sent. */
function requestOf(baseUrl: string, { sdk, args }: ApiCall): Promise<CurlRequest> {
  return new Promise((resolve, reject) => {
    const fetch = (input: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}): Promise<Response> => {
      const path = (input instanceof Request ? input.url : String(input)).slice(baseUrl.length);
      resolve({ method, path, body: typeof body === 'string' ? (JSON.parse(body) as object) : undefined });
      return Promise.reject(new TypeError('The request is not sent.'));
    };
    const kiln = new Kiln({ baseUrl, apiKey: 'none', fetch, maxRetries: 0 });
    const [resource = '', name = ''] = sdk.split('.');
    const methods = kiln[resource as keyof Kiln] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    Promise.resolve(methods[name]?.(...args)).catch(reject);
  });
}
