export const mayDo = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes('*') || scopes.includes(scope);
