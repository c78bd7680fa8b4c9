export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The field as a property, or nothing without it. Throws `wrong` if it is no text. */
export function optionalText<Name extends string>(
  record: Record<string, unknown>,
  name: Name,
  wrong: Error,
): Partial<Record<Name, string>> {
  const value = record[name];
  if (value === undefined) return {};
  if (typeof value !== 'string') throw wrong;
  return { [name]: value } as Record<Name, string>;
}
