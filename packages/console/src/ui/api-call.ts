// A request of the console as text: for a terminal and for a program. Users copy it and run it with a key of theirs.
import type { Kiln } from '@kiln/sdk';
import type { Commands } from './command-hint.js';
import { curlOf } from './curl.js';
import type { Scope } from '../api/me.js';

type MethodOf<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Resource] &
  string;

/** A method of the SDK, such as `files.get`. */
export type SdkMethod = { [Name in keyof Kiln]: `${Name & string}.${MethodOf<Kiln[Name]>}` }[keyof Kiln];

export interface ApiCall {
  /** What it does, as the button says. */
  title: string;
  scope: Scope;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object;
  body?: object;
  sdk: SdkMethod;
  /** The arguments of the method. */
  args: readonly unknown[];
}

export function commandsOf(origin: string, { method, path, query, body, sdk, args }: ApiCall): Commands {
  return {
    curl: curlOf(origin, { method, path: path + queryText(query), body }),
    sdk: `import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: '${origin}', apiKey: process.env.KILN_API_KEY });
await kiln.${sdk}(${args.map((arg) => JSON.stringify(arg, null, 2)).join(', ')});`,
  };
}

/** Leaves out what is undefined, as the SDK does. */
function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
