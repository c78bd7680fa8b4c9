import type { Schemas } from '@kiln/sdk';
import { useMutation } from '@tanstack/react-query';
import { useKiln } from '../../../api/kiln-context.js';
import { Dialog } from '../../../ui/dialog.js';
import { showToast } from '../../../ui/toasts.js';
import { processedText } from '../lib/sync-texts.js';
import { FormError } from '../../../ui/form-error.js';

interface ProcessDialogProps {
  connectionId: string;
  onClose: () => void;
}

export function ProcessDialog({ connectionId, onClose }: ProcessDialogProps) {
  const kiln = useKiln();
  const process = useMutation({
    mutationFn: () => kiln.files.processMany({ connection_id: connectionId }),
    onSuccess: (result: Schemas['ProcessBatchResponse']) => {
      showToast(processedText(result));
      onClose();
    },
  });
  return (
    <Dialog
      title="Process the files?"
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={process.isPending}
            onClick={() => process.mutate()}
          >
            Process
          </button>
        </>
      }
    >
      <p className="muted">
        Every object that syncs have found, and that is new or changed since it was processed, becomes a file of the
        page Files and is processed. The bytes stay in the bucket. The pages count towards the plan.
      </p>
      <FormError error={process.error} />
    </Dialog>
  );
}
