import { useState } from 'react';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Dialog } from '../../../ui/dialog.js';
import { reprocessCall } from '../lib/file-calls.js';
import { variantNames, variantTypes, type VariantType } from '../lib/variant-names.js';
import type { FileDetail } from '../queries.js';

interface ReprocessDialogProps {
  file: FileDetail;
  onClose: () => void;
  /** Without a variant, the defaults of the organization are made. */
  onConfirm: (variants: VariantType[]) => void;
}

export function ReprocessDialog({ file, onClose, onConfirm }: ReprocessDialogProps) {
  const [chosen, setChosen] = useState<readonly VariantType[]>(() => file.variants.map(({ type }) => type));
  const toggle = (type: VariantType) =>
    setChosen(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type]);
  return (
    <Dialog
      title="Reprocess this file"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button type="button" className="button button-primary" onClick={() => onConfirm([...chosen])}>
            Reprocess the file
          </button>
        </>
      }
    >
      <p className="muted">
        A new job replaces the current one. Variants stay readable until new ones replace them. If none is chosen, the
        defaults of the organization are made.
      </p>
      <ul className="variant-choice" aria-label="Variants to make">
        {variantTypes.map((type) => (
          <li key={type}>
            <label>
              <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
              <span>
                {type} <span className="muted">{variantNames[type]}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <ActionCommands calls={[reprocessCall(file.id, chosen)]} />
    </Dialog>
  );
}
