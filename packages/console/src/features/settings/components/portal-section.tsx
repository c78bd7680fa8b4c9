import { useKiln } from '../../../api/kiln-context.js';
import { Field } from '../../../ui/field.js';
import { useSectionForm, type Draft } from '../hooks/use-section-form.js';
import { fieldErrors, refusedIndex } from '../lib/field-errors.js';
import { portalFormOf, portalRequestOf, type PortalForm } from '../lib/portal-form.js';
import { portalCalls } from '../lib/settings-calls.js';
import { portalQuery } from '../queries.js';
import { FormSection } from './form-section.js';

const FIELDS = ['frame_ancestors'];

/** The sites that may embed the portal. */
export function PortalSection({ draft }: { draft: Draft<PortalForm> }) {
  const section = useSectionForm({
    query: portalQuery(useKiln()),
    formOf: portalFormOf,
    save: (kiln, form) => kiln.organization.updatePortalSettings(portalRequestOf(form)),
    draft,
  });
  const { form, changed, change, saveError } = section;
  const errors = fieldErrors(saveError, FIELDS);
  const problem = errors.of('frame_ancestors');
  const refused = refusedIndex(saveError, 'frame_ancestors');
  return (
    <FormSection title="Portal" section={section} isLoaded={form !== null} errors={errors} calls={portalCalls}>
      {form && (
        <Field
          title="Sites that may embed the portal"
          hint="Origins such as https://app.example.com, one a line. While there are none, no page may show the portal in a frame. Applies after five seconds."
          error={problem !== null && refused !== null ? `Origin ${refused + 1}: ${problem}` : problem}
          isChanged={changed.has('sites')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={5}
              value={form.sites}
              spellCheck={false}
              placeholder="https://app.example.com"
              onChange={({ target }) => change({ sites: target.value })}
            />
          )}
        </Field>
      )}
    </FormSection>
  );
}
