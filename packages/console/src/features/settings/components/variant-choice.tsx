import { Choice } from '../../../ui/choice.js';
import { variantNames, variantTypes, type VariantType } from '../../../ui/variants.js';
import { toggledVariant } from '../lib/processing-form.js';

interface VariantChoiceProps {
  chosen: readonly VariantType[];
  isChanged: boolean;
  error: string | null;
  onChange: (chosen: readonly VariantType[]) => void;
}

export function VariantChoice({ chosen, isChanged, error, onChange }: VariantChoiceProps) {
  return (
    <fieldset className="choices">
      <legend>Variants of a file {isChanged && <span className="field-mark">Not saved</span>}</legend>
      {variantTypes.map((type) => (
        <Choice key={type} isChosen={chosen.includes(type)} onToggle={() => onChange(toggledVariant(chosen, type))}>
          {type} <span className="muted">{variantNames[type]}</span>
        </Choice>
      ))}
      {error !== null && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
