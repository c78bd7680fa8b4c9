import type { FieldErrors } from '../lib/field-errors.js';
import { strategyTitles, type ProcessingForm, type Strategy } from '../lib/processing-form.js';
import { Field } from './field.js';

interface ChunkingFieldsProps {
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

export function ChunkingFields({ form, changed, errors, onChange }: ChunkingFieldsProps) {
  return (
    <>
      <Field title="Texts are cut" error={errors.of('default_chunking.strategy')} isChanged={changed.has('strategy')}>
        {(control) => (
          <select
            {...control}
            value={form.strategy}
            onChange={({ target }) => onChange({ strategy: target.value as Strategy })}
          >
            {Object.entries(strategyTitles).map(([strategy, title]) => (
              <option key={strategy} value={strategy}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="settings-pair">
        {sizes.map(({ name, path, title, hint }) => (
          <Field key={name} title={title} hint={hint} error={errors.of(path)} isChanged={changed.has(name)}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={form[name]}
                onChange={({ target }) => onChange({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </>
  );
}
