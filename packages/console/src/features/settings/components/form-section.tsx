import type { FormEvent, ReactNode } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import type { ApiCall } from '../../../ui/api-call.js';
import { Button } from '../../../ui/button.js';
import { FormError } from '../../../ui/form-error.js';
import { useMayChange } from '../hooks/use-may-change.js';
import type { SectionForm } from '../hooks/use-section-form.js';
import type { FieldErrors } from '../lib/field-errors.js';
import { SectionCard } from './section-card.js';

interface FormSectionProps {
  title: string;
  section: SectionForm;
  isLoaded: boolean;
  errors: FieldErrors;
  calls: readonly ApiCall[];
  children: ReactNode;
}

/** A form of settings. Its changes are sent together. */
export function FormSection({ title, section, isLoaded, errors, calls, children }: FormSectionProps) {
  const { changed, error, refetch, discard, save, isSaving, saveError } = section;
  const mayChange = useMayChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <>
      <SectionCard title={title} isLoaded={isLoaded} error={error} refetch={refetch}>
        <form className="form settings-form" onSubmit={submit} noValidate autoComplete="off">
          <fieldset className="form" disabled={!mayChange}>
            {children}
          </fieldset>
          {!errors.isComplete && <FormError error={saveError} />}
          {mayChange && (
            <div className="settings-save">
              <Button type="submit" kind="primary" disabled={changed.size === 0 || isSaving}>
                {isSaving ? 'Saving …' : 'Save'}
              </Button>
              <Button disabled={changed.size === 0 || isSaving} onClick={discard}>
                Discard
              </Button>
              <span className="muted" role="status">
                {changed.size > 0 ? 'There are changes that are not saved.' : ''}
              </span>
            </div>
          )}
        </form>
      </SectionCard>
      <ActionCommands calls={calls} />
    </>
  );
}
