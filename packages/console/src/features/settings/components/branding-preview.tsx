import { textOn } from '../../../ui/contrast.js';
import { DEFAULT_COLOR, isColor, type BrandingForm } from '../lib/branding-form.js';

/** The head of the portal and one of its buttons. */
export function BrandingPreview({ form: { name, color, logo } }: { form: BrandingForm }) {
  const fill = isColor(color) ? color : DEFAULT_COLOR;
  return (
    <figure aria-label="Preview of the portal">
      <figcaption className="muted">Preview</figcaption>
      <div className="branding-head">
        {logo !== '' && <img src={logo} alt="The logo" />}
        <strong>{name.trim() === '' ? 'Documents' : name}</strong>
        <span className="branding-button" style={{ background: fill, color: textOn(fill) }}>
          Upload
        </span>
      </div>
    </figure>
  );
}
