// The list of recovery codes of the second factor.
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Notice } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';

/** The codes are shown once, when they are created. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    // Plain http has no clipboard: the user can download the codes.
    await navigator.clipboard?.writeText(text);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <Notice tone="warn">
      <strong>{t('Your recovery codes')}</strong>
      <p>
        {t('Each signs you in once if your phone is lost. They are shown this one time: keep them somewhere safe.')}
      </p>
      <ul class="codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="row">
        <Button isSmall onClick={() => void copy()}>
          {isCopied ? t('Copied') : t('Copy')}
        </Button>
        <Button isSmall onClick={() => download(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}>
          {t('Download')}
        </Button>
        <Button isSmall look="primary" onClick={onDone}>
          {t('I have saved them')}
        </Button>
      </div>
    </Notice>
  );
}
