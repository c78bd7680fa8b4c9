import { Field, SelectField, TextField } from '../../../ui/field.js';
import { languages, languageTitle } from '../lib/processing-form.js';
import type { FormFieldsProps } from './chunking-fields.js';

export function SearchFields({ form, changed, errors, onChange }: FormFieldsProps) {
  return (
    <>
      <TextField
        title="Embedding model"
        hint="For files that are processed from now on."
        error={errors.of('default_embedding_model')}
        isChanged={changed.has('model')}
        value={form.model}
        onChange={(model) => onChange({ model })}
      />
      <SelectField
        title="Language of searches"
        hint="Searches match words in all their forms. Applies to files that are indexed from now on."
        error={errors.of('search_language')}
        isChanged={changed.has('language')}
        options={languages.map((language) => [language, languageTitle(language)])}
        value={form.language}
        onChange={(language) => onChange({ language })}
      />
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
