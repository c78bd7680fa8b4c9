import { useMode } from '../../../api/me.js';

/** The name of the product, and whether live or test data is shown. */
export function Brand({ size }: { size: number }) {
  const mode = useMode();
  return (
    <>
      <img src="/console/kiln.svg" alt="" width={size} height={size} />
      <strong>Kiln</strong>
      <span className="mode" data-mode={mode}>
        {mode}
      </span>
    </>
  );
}
