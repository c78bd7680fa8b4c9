import './option-group.css';

interface OptionGroupProps<Value extends string | number> {
  label: string;
  options: readonly Value[];
  titleOf: (option: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
}

/** Buttons in a row. One of them is pressed. */
export function OptionGroup<Value extends string | number>(props: OptionGroupProps<Value>) {
  const { label, options, titleOf, value, onChange } = props;
  return (
    <div className="option-group" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {titleOf(option)}
        </button>
      ))}
    </div>
  );
}
