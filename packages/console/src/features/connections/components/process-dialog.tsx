import { FormDialog } from '../../../ui/form-dialog.js';
import { useAction } from '../../../ui/use-action.js';
import { processedText } from '../lib/sync-texts.js';

interface ProcessDialogProps {
  connectionId: string;
  onClose: () => void;
}

export function ProcessDialog({ connectionId, onClose }: ProcessDialogProps) {
  const process = useAction({
    run: (kiln) => kiln.files.processMany({ connection_id: connectionId }),
    done: processedText,
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Process the files?"
      submitTitle="Process"
      isReady={!process.isPending}
      error={process.error}
      onSubmit={() => process.mutate()}
      onClose={onClose}
    >
      <p className="muted">
        Every object that syncs have found, and that is new or changed since it was processed, becomes a file of the
        page Files and is processed. The bytes stay in the bucket. The pages count towards the plan.
      </p>
    </FormDialog>
  );
}
