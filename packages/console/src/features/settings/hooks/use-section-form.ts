import type { Kiln } from '@kiln/sdk';
import { useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useAction } from '../../../ui/use-action.js';
import { changedFields, without } from '../lib/draft.js';

/** The changes that are not saved. They outlive the section, so that another tab can be looked at meanwhile. */
export interface Draft<Form> {
  changes: Partial<Form>;
  set: (next: (changes: Partial<Form>) => Partial<Form>) => void;
}

interface SectionFormOptions<Stored, Form, Key extends readonly string[]> {
  query: UseQueryOptions<Stored, Error, Stored, Key>;
  formOf: (stored: Stored) => Form;
  /** Sends what has changed, and returns all values. */
  save: (kiln: Kiln, form: Form, changed: ReadonlySet<string>) => Promise<Stored>;
  draft: Draft<Form>;
}

export function useSectionForm<Stored, Form extends object, Key extends readonly string[]>(
  options: SectionFormOptions<Stored, Form, Key>,
) {
  const { query, formOf, draft } = options;
  const cache = useQueryClient();
  const queryKey: readonly string[] = query.queryKey;
  const { data, error, refetch } = useQuery(query);
  const stored = data === undefined ? null : formOf(data);
  const form = stored && { ...stored, ...draft.changes };
  const changed = stored ? changedFields(stored, draft.changes) : new Set<string>();
  const save = useAction({
    run: (kiln, sent: Form) => options.save(kiln, sent, changed),
    done: 'The settings are saved.',
    onDone: (saved, sent) => {
      cache.setQueryData(queryKey, saved);
      draft.set((changes) => without(changes, sent));
    },
  });
  return {
    form,
    changed,
    error,
    refetch,
    change: (part: Partial<Form>) => {
      // The refusal is of the former values.
      if (save.isError) save.reset();
      draft.set((changes) => (stored ? without({ ...changes, ...part }, stored) : {}));
    },
    discard: () => {
      draft.set(() => ({}));
      save.reset();
    },
    save: () => form && changed.size > 0 && !save.isPending && save.mutate(form),
    isSaving: save.isPending,
    saveError: save.error,
  };
}

export type SectionForm = Pick<
  ReturnType<typeof useSectionForm<object, object, readonly string[]>>,
  'changed' | 'error' | 'refetch' | 'discard' | 'save' | 'isSaving' | 'saveError'
>;
