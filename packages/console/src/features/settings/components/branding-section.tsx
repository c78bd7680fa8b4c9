import { useKiln } from '../../../api/kiln-context.js';
import { Field, TextField } from '../../../ui/field.js';
import { useSectionForm, type Draft } from '../hooks/use-section-form.js';
import { brandingFormOf, brandingRequestOf, DEFAULT_COLOR, isColor, type BrandingForm } from '../lib/branding-form.js';
import { fieldErrors } from '../lib/field-errors.js';
import { brandingCalls } from '../lib/settings-calls.js';
import { brandingQuery } from '../queries.js';
import { BrandingPreview } from './branding-preview.js';
import { FormSection } from './form-section.js';
import { LogoField } from './logo-field.js';

const FIELDS = ['name', 'color', 'logo'];

export function BrandingSection({ draft }: { draft: Draft<BrandingForm> }) {
  const section = useSectionForm({
    query: brandingQuery(useKiln()),
    formOf: brandingFormOf,
    save: (kiln, form, changed) => kiln.organization.updateBranding(brandingRequestOf(form, changed)),
    draft,
  });
  const { form, changed, change } = section;
  const errors = fieldErrors(section.saveError, FIELDS);
  return (
    <FormSection title="Branding" section={section} isLoaded={form !== null} errors={errors} calls={brandingCalls}>
      {form && (
        <>
          <TextField
            title="Name"
            hint="The portal shows it in its head."
            error={errors.of('name')}
            isChanged={changed.has('name')}
            value={form.name}
            placeholder="Documents"
            onChange={(name) => change({ name })}
          />
          <Field
            title="Colour"
            hint="Of buttons and links. The portal makes it lighter or darker where texts could not be read."
            error={errors.of('color')}
            isChanged={changed.has('color')}
          >
            {(control) => (
              <div className="settings-color">
                <input
                  {...control}
                  value={form.color}
                  placeholder={DEFAULT_COLOR}
                  spellCheck={false}
                  onChange={({ target }) => change({ color: target.value })}
                />
                <input
                  type="color"
                  aria-label="Pick a colour"
                  value={isColor(form.color) ? form.color : DEFAULT_COLOR}
                  onChange={({ target }) => change({ color: target.value })}
                />
              </div>
            )}
          </Field>
          <LogoField
            logo={form.logo}
            isChanged={changed.has('logo')}
            error={errors.of('logo')}
            onChange={(logo) => change({ logo })}
          />
          <BrandingPreview form={form} />
        </>
      )}
    </FormSection>
  );
}
