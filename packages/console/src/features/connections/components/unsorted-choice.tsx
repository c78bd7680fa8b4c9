interface UnsortedChoiceProps {
  isUnsorted: boolean;
  onChange: (isUnsorted: boolean) => void;
}

/** Syncs of such a store check that no key is listed twice, in place of the order. */
export function UnsortedChoice({ isUnsorted, onChange }: UnsortedChoiceProps) {
  return (
    <label className="connection-choice">
      <input type="checkbox" checked={isUnsorted} onChange={() => onChange(!isUnsorted)} />
      The store lists keys in no order, as Storj does
    </label>
  );
}
