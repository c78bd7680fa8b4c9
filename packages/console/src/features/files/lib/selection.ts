// Which files are selected. It is kept outside of the rows, because only visible rows exist.

export interface Selection {
  ids: ReadonlySet<string>;
  /** All files that match the filters, also those that are not loaded. */
  isAll: boolean;
  /** The file that was selected last: a click with Shift selects up to the next one. */
  anchor: string | null;
}

export const NOTHING: Selection = { ids: new Set(), isAll: false, anchor: null };
export const EVERYTHING: Selection = { ids: new Set(), isAll: true, anchor: null };

export const isSelected = ({ ids, isAll }: Selection, id: string): boolean => isAll || ids.has(id);

export function toggle(selection: Selection, id: string, loaded: readonly string[]): Selection {
  const ids = new Set(selection.isAll ? loaded : selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, isAll: false, anchor: id };
}

/** Selects the files between the anchor and `id`, both included. */
export function extend(selection: Selection, id: string, loaded: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : loaded.indexOf(selection.anchor);
  const to = loaded.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id, loaded);
  const between = loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, ids: new Set([...selection.ids, ...between]) };
}

export const selectLoaded = (loaded: readonly string[]): Selection => ({
  ids: new Set(loaded),
  isAll: false,
  anchor: null,
});
