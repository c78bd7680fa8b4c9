// Addresses of requests.

type QueryValue = string | number | boolean | readonly unknown[] | object | null | undefined;

/** Throws TypeError unless it is an http(s) address. Returns it without a slash at the end. */
export function checkedBaseUrl(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError('baseUrl must be an address such as https://kiln.example.com');
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with http:// or https://');
  if (url.username || url.search || url.hash)
    throw new TypeError('baseUrl must have no credentials, query or fragment');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Fills the `{names}` of a path in their order. A parameter that would lead to another path is a TypeError. */
export function pathOf(template: string, parameters: readonly (string | number)[] = []): string {
  let path = '';
  let end = 0;
  for (let at = 0, open = template.indexOf('{'); open >= 0; at++, open = template.indexOf('{', end)) {
    const close = template.indexOf('}', open);
    const value = String(parameters[at] ?? '');
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`${template.slice(open + 1, close)} must not be empty, "." or ".."`);
    path += template.slice(end, open) + encodeURIComponent(value);
    end = close + 1;
  }
  return path + template.slice(end);
}

/** Leaves out undefined and null. Each property of an object is a parameter: `metadata.department=legal`. */
export function queryOf(query?: object): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, QueryValue][]) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') parameters.append(name, String(value));
    else if (Array.isArray(value)) for (const one of value) parameters.append(name, String(one));
    else for (const [key, one] of Object.entries(value)) parameters.append(prefixed(name, key), String(one));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}

const prefixed = (name: string, key: string) => (key.startsWith(`${name}.`) ? key : `${name}.${key}`);
