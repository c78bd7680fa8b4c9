// Tables as files for spreadsheets: https://www.rfc-editor.org/rfc/rfc4180.

export type Csv = readonly (readonly (string | number | null)[])[];

/** A text that begins like a formula gets a quotation mark before it: https://owasp.org/www-community/attacks/CSV_Injection. */
export const csvText = (rows: Csv): string => rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
