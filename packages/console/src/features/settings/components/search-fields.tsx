import type { FieldErrors } from '../lib/field-errors.js';
import { languages, languageTitle, type Language, type ProcessingForm } from '../lib/processing-form.js';
import { Field } from './field.js';

interface SearchFieldsProps {
  form: ProcessingForm;
  changed: ReadonlySet<string>;
  errors: FieldErrors;
  onChange: (part: Partial<ProcessingForm>) => void;
}

export function SearchFields({ form, changed, errors, onChange }: SearchFieldsProps) {
  return (
    <>
      <Field
        title="Embedding model"
        hint="For files that are processed from now on."
        error={errors.of('default_embedding_model')}
        isChanged={changed.has('model')}
      >
        {(control) => (
          <input
            {...control}
            value={form.model}
            spellCheck={false}
            onChange={({ target }) => onChange({ model: target.value })}
          />
        )}
      </Field>
      <Field
        title="Language of searches"
        hint="Searches match words in all their forms. Applies to files that are indexed from now on."
        error={errors.of('search_language')}
        isChanged={changed.has('language')}
      >
        {(control) => (
          <select
            {...control}
            value={form.language}
            onChange={({ target }) => onChange({ language: target.value as Language })}
          >
            {languages.map((language) => (
              <option key={language} value={language}>
                {languageTitle(language)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        title="Instructions for answers"
        hint="What each answer of a chat model should be like, in plain words. Applies after ten seconds."
        error={errors.of('answer_instructions')}
        isChanged={changed.has('instructions')}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            value={form.instructions}
            placeholder="Answer formally, in two sentences."
            onChange={({ target }) => onChange({ instructions: target.value })}
          />
        )}
      </Field>
    </>
  );
}
