// Text from documents and from engines, which may contain what PostgreSQL cannot store in text and jsonb: NUL, and halves of surrogate pairs.

export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Values as JSON, with storable texts only. */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
