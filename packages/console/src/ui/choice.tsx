import type { ReactNode } from 'react';
import './choice.css';

interface ChoiceProps {
  isChosen: boolean;
  isDisabled?: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** A checkbox with its text. */
export function Choice({ isChosen, isDisabled = false, onToggle, children }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="checkbox" checked={isChosen} disabled={isDisabled} onChange={onToggle} />
      <span>{children}</span>
    </label>
  );
}
