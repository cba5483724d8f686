// The box for a secret, or for another text to take along, with a button that copies it.
import { useState } from 'preact/hooks';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { Notice, type Tone } from './layout.tsx';

/** A secret that is shown only once. */
export function Secret({
  label,
  value,
  tone = 'warn',
  hint = t('It is shown this one time. Keep it somewhere safe.'),
}: {
  label: string;
  value: string;
  tone?: Tone;
  hint?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    // Plain http has no clipboard: the text is selected, and the user copies it.
    await navigator.clipboard?.writeText(value);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <Notice tone={tone}>
      <strong>{label}</strong>
      <div class="secret">
        <code>{value}</code>
        <Button isSmall onClick={() => void copy()}>
          {isCopied ? t('Copied') : t('Copy')}
        </Button>
      </div>
      <span class="small">{hint}</span>
    </Notice>
  );
}
