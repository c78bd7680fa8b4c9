const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;

/**
 * A stated date as ISO 8601: `2024`, `2024-05-01`, `2024-05-01T09:30:00+02:00`, to milliseconds. A time without a zone
 * gets none. Null for any other text, because metadata has only valid dates.
 */
export function isoDate(text: string | null | undefined): string | null {
  const match = form.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, year = '', month, day, time, fraction, zone = ''] = match;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  if (Number.isNaN(Date.parse(`${date}${time === undefined ? '' : `T${time}Z`}`))) return null;
  if (time === undefined) return date;
  const seconds = time.length === 5 ? `${time}:00` : time;
  const milliseconds = fraction === undefined || /^0+$/.test(fraction) ? '' : `.${fraction.slice(0, 3)}`;
  return `${date}T${seconds}${milliseconds}${isoZone(zone)}`;
}

/** `+0200` and `+02` → `+02:00` */
function isoZone(zone: string): string {
  if (zone === '' || zone.toUpperCase() === 'Z') return zone.toUpperCase();
  return `${zone.slice(0, 3)}:${zone.replace(':', '').slice(3) || '00'}`;
}
