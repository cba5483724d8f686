// Said where a mail was written that nobody gets.
import { Notice } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';

export function NoMailServer() {
  return (
    <Notice tone="warn">
      {t(
        'No mail server is set, so nobody gets this mail. Whoever runs the service finds it as a file in {folder}, and sets {variable}.',
        { folder: 'DATA_DIR/outbox', variable: 'SMTP_URL' },
      )}
    </Notice>
  );
}
