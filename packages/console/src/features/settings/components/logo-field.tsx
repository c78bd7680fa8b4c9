import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { LOGO_BYTES_MAX, LOGO_TYPES } from '../lib/branding-form.js';

interface LogoFieldProps {
  /** A `data:` URI; empty if there is none. */
  logo: string;
  isChanged: boolean;
  error: string | null;
  onChange: (logo: string) => void;
}

export function LogoField({ logo, isChanged, error, onChange }: LogoFieldProps) {
  const [unread, setUnread] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > LOGO_BYTES_MAX) return setUnread('The image has more than 48 KB. Choose a smaller one.');
    try {
      onChange(await dataUriOf(file));
      setUnread(null);
    } catch {
      setUnread('The file cannot be read. Choose it again.');
    }
  };
  return (
    <Field title="Logo" hint="PNG, JPEG, WebP or SVG, at most 48 KB." error={unread ?? error} isChanged={isChanged}>
      {(control) => (
        <div className="settings-logo">
          <input
            {...control}
            type="file"
            accept={LOGO_TYPES.join(',')}
            onChange={({ target }) => void read(target.files?.[0])}
          />
          {logo !== '' && (
            <Button icon="trash" onClick={() => onChange('')}>
              Remove the logo
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function dataUriOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
