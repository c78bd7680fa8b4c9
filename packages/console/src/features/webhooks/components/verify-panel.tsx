// The debugger of signatures: a program that verifies this very payload.
import { useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.js';
import { OptionGroup } from '../../../ui/option-group.js';
import { languageNames, snippetLanguages, verifySnippets, type SnippetLanguage } from '../lib/verify-snippets.js';

interface VerifyPanelProps {
  eventId: string;
  payload: Readonly<Record<string, unknown>>;
}

export function VerifyPanel({ eventId, payload }: VerifyPanelProps) {
  const [language, setLanguage] = useState<SnippetLanguage>('typescript');
  return (
    <>
      <h3>Verify the signature</h3>
      <p className="muted">
        Replace the two placeholders with the headers that your endpoint received, and set KILN_WEBHOOK_SECRET. Requests
        older than five minutes are refused: resend the event for a new one. If it fails, compare the body, byte by
        byte, with the one that your endpoint read.
      </p>
      <div className="verify-languages">
        <OptionGroup
          label="Language"
          options={snippetLanguages}
          titleOf={(one) => languageNames[one]}
          value={language}
          onChange={setLanguage}
        />
      </div>
      <CodeBlock
        label={`Verification in ${languageNames[language]}`}
        text={verifySnippets[language]({ eventId, payload })}
      />
    </>
  );
}
