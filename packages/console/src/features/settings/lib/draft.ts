// Changes that are not saved: they lie over the values of the server, so that a refreshed value shows where nothing was changed.

/** The names of the fields that differ from the stored values. */
export function changedFields<Form extends object>(stored: Form, changes: Partial<Form>): ReadonlySet<string> {
  const names = Object.keys(changes) as (keyof Form & string)[];
  return new Set(names.filter((name) => JSON.stringify(changes[name]) !== JSON.stringify(stored[name])));
}

/** The changes to other values than these. What was typed after a form was sent is not saved with it. */
export function without<Form extends object>(changes: Partial<Form>, values: Form): Partial<Form> {
  const names = changedFields(values, changes);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => names.has(name))) as Partial<Form>;
}
