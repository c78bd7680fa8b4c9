import { Choice } from '../../../ui/choice.js';
import { TextField } from '../../../ui/field.js';
import type { FilePolicy } from '../lib/setup-form.js';

interface FilePolicyFieldsProps {
  policy: FilePolicy;
  onChange: (policy: FilePolicy) => void;
}

/** Where the files of objects are made, and what happens to them when the objects are gone. */
export function FilePolicyFields({ policy: { space, isKept }, onChange }: FilePolicyFieldsProps) {
  return (
    <>
      <TextField
        title="Space"
        placeholder="default"
        hint="Where the files of objects are made from now on."
        value={space}
        onChange={(text) => onChange({ space: text, isKept })}
      />
      <Choice isChosen={isKept} onToggle={() => onChange({ space, isKept: !isKept })}>
        Keep the files of objects that are deleted
      </Choice>
    </>
  );
}
