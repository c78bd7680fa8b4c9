/** Makes `instanceof` with a file's own classes true for instances of Node's classes of the same name. */
const SHARED = [
  'AggregateError',
  'Array',
  'Date',
  'Error',
  'EvalError',
  'Function',
  'Map',
  'Object',
  'Promise',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'SyntaxError',
  'TypeError',
  'URIError',
  'WeakMap',
] as const;

type Constructor = abstract new (...parameters: never[]) => unknown;

export function acceptInstancesOfNode(global: typeof globalThis): void {
  for (const name of SHARED) acceptInstancesOf(globalThis[name], global[name]);
}

function acceptInstancesOf(nodes: Constructor, own: Constructor): void {
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(own, Symbol.hasInstance, {
    configurable: true,
    // On a subclass, keeps the default behavior.
    value(this: unknown, value: unknown): boolean {
      return isInstance.call(this as Constructor, value) || (this === own && value instanceof nodes);
    },
  });
}
