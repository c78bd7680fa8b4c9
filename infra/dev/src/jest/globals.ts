/** Stands in for `@jest/globals`. A module keeps what it imports, although each file has a new framework. So each access is passed on to the current one. */

let framework: Readonly<Record<string, object>> = {};

/** Called before a file is imported. */
export function setFramework(globals: typeof framework): void {
  framework = globals;
}

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');

function current(name: string): object {
  const target = (): Record<string, unknown> => framework[name] as Record<string, unknown>;
  return new Proxy(() => undefined, {
    apply: (_, self, parameters) => Reflect.apply(target() as unknown as () => unknown, self, parameters),
    get: (_, key) => Reflect.get(target(), key) as unknown,
  });
}
