import { useKiln } from '../../../api/kiln-context.js';
import { useSectionForm, type Draft } from '../hooks/use-section-form.js';
import { fieldErrors } from '../lib/field-errors.js';
import { processingFormOf, processingRequestOf, type ProcessingForm } from '../lib/processing-form.js';
import { processingCalls } from '../lib/settings-calls.js';
import { processingQuery } from '../queries.js';
import { ChunkingFields } from './chunking-fields.js';
import { FormSection } from './form-section.js';
import { SearchFields } from './search-fields.js';
import { VariantChoice } from './variant-choice.js';

const FIELDS = [
  'default_embedding_model',
  'default_chunking',
  'default_variants',
  'search_language',
  'answer_instructions',
];

/** The defaults of uploads and jobs, the language of searches, and the instructions for answers. */
export function ProcessingSection({ draft }: { draft: Draft<ProcessingForm> }) {
  const section = useSectionForm({
    query: processingQuery(useKiln()),
    formOf: processingFormOf,
    save: (kiln, form, changed) => kiln.organization.updateSettings(processingRequestOf(form, changed)),
    draft,
  });
  const { form, changed, change } = section;
  const errors = fieldErrors(section.saveError, FIELDS);
  return (
    <FormSection title="Processing" section={section} isLoaded={form !== null} errors={errors} calls={processingCalls}>
      {form && (
        <>
          <VariantChoice
            chosen={form.variants}
            isChanged={changed.has('variants')}
            error={errors.of('default_variants')}
            onChange={(variants) => change({ variants })}
          />
          <ChunkingFields form={form} changed={changed} errors={errors} onChange={change} />
          <SearchFields form={form} changed={changed} errors={errors} onChange={change} />
        </>
      )}
    </FormSection>
  );
}
