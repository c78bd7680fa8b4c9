import { IconButton } from './button.js';
import { csvText, type Csv } from './csv.js';

interface CsvButtonProps {
  /** The name of the file. */
  filename: string;
  rows: Csv;
}

export function CsvButton({ filename, rows }: CsvButtonProps) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([csvText(rows)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = filename;
    link.click();
    URL.revokeObjectURL(url);
  };
  return <IconButton icon="download" label={`Download ${filename}`} title="Download CSV" onClick={save} />;
}
