import { SelectField, TextField } from '../../../ui/field.js';
import type { FieldErrors } from '../lib/field-errors.js';
import { strategies, type ProcessingForm } from '../lib/processing-form.js';

export interface FormFieldsProps {
  form: ProcessingForm;
  changed: ReadonlySet<string>;
  errors: FieldErrors;
  onChange: (part: Partial<ProcessingForm>) => void;
}

const sizes = [
  { name: 'chunkSize', path: 'default_chunking.chunk_size', title: 'Size of chunks', hint: '100 to 8,000 characters.' },
  {
    name: 'chunkOverlap',
    path: 'default_chunking.chunk_overlap',
    title: 'Overlap of chunks',
    hint: 'Characters, at most half of the size.',
  },
] as const;

export function ChunkingFields({ form, changed, errors, onChange }: FormFieldsProps) {
  return (
    <>
      <SelectField
        title="Texts are cut"
        error={errors.of('default_chunking.strategy')}
        isChanged={changed.has('strategy')}
        options={strategies}
        value={form.strategy}
        onChange={(strategy) => onChange({ strategy })}
      />
      <div className="settings-pair">
        {sizes.map(({ name, path, title, hint }) => (
          <TextField
            key={name}
            title={title}
            hint={hint}
            error={errors.of(path)}
            isChanged={changed.has(name)}
            inputMode="numeric"
            value={form[name]}
            onChange={(text) => onChange({ [name]: text })}
          />
        ))}
      </div>
    </>
  );
}
