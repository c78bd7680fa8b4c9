import { toggledVariant, variants, variantTitles, type Variant } from '../lib/processing-form.js';

interface VariantChoiceProps {
  chosen: readonly Variant[];
  isChanged: boolean;
  error: string | null;
  onChange: (chosen: readonly Variant[]) => void;
}

export function VariantChoice({ chosen, isChanged, error, onChange }: VariantChoiceProps) {
  return (
    <fieldset className="settings-variants" data-changed={isChanged}>
      <legend>Variants of a file {isChanged && <span className="settings-mark">Not saved</span>}</legend>
      {variants.map((variant) => (
        <label key={variant} className="settings-choice">
          <input
            type="checkbox"
            checked={chosen.includes(variant)}
            onChange={() => onChange(toggledVariant(chosen, variant))}
          />
          <span>
            {variant} <span className="muted">{variantTitles[variant]}</span>
          </span>
        </label>
      ))}
      {error !== null && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
