interface FilterSelectProps<Value extends string> {
  label: string;
  /** The option without a filter. */
  all: string;
  options: readonly Value[];
  titleOf?: (option: Value) => string;
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** A value of the address that is not an option is shown, too. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, options, titleOf = String, value, onChange } = props;
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(options.find((option) => option === target.value))}
    >
      <option value="">{all}</option>
      {value !== undefined && !options.includes(value) && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {titleOf(option)}
        </option>
      ))}
    </select>
  );
}
