import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';

interface SecretDialogProps {
  title: string;
  /** What it is for, and that it is not shown again. */
  text: string;
  value: string;
  copyTitle: string;
  onClose: () => void;
}

/** Shows a value once, to be copied. */
export function SecretDialog({ title, text, value, copyTitle, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>{text}</p>
      <p className="secret">
        <code>{value}</code>
        <CopyButton text={value} label={copyTitle} />
      </p>
    </Dialog>
  );
}
