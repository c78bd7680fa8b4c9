// Reads the parameters of the page's address. People type and share addresses, so unknown values are ignored.

/** The text of a parameter. A text of digits arrives as a number. */
export const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? String(value) : undefined;

export const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value);
