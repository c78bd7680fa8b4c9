import { useState } from 'react';
import { Choice } from '../../../ui/choice.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { toggled } from '../../../ui/toggled.js';
import { variantNames, variantTypes, type VariantType } from '../../../ui/variants.js';
import { reprocessCall } from '../lib/file-calls.js';
import type { FileDetail } from '../queries.js';

interface ReprocessDialogProps {
  file: FileDetail;
  onClose: () => void;
  /** Without a variant, the defaults of the organization are made. */
  onConfirm: (variants: VariantType[]) => void;
}

export function ReprocessDialog({ file, onClose, onConfirm }: ReprocessDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<VariantType>>(() => new Set(file.variants.map(({ type }) => type)));
  return (
    <FormDialog
      title="Reprocess this file"
      submitTitle="Reprocess the file"
      isReady
      error={null}
      call={reprocessCall(file.id, [...chosen])}
      onSubmit={() => onConfirm([...chosen])}
      onClose={onClose}
    >
      <p className="muted">
        A new job replaces the current one. Variants stay readable until new ones replace them. If none is chosen, the
        defaults of the organization are made.
      </p>
      <ul className="variant-choice" aria-label="Variants to make">
        {variantTypes.map((type) => (
          <li key={type}>
            <Choice isChosen={chosen.has(type)} onToggle={() => setChosen(toggled(chosen, type))}>
              {type} <span className="muted">{variantNames[type]}</span>
            </Choice>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
