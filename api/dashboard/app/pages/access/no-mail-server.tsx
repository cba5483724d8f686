// Said where a mail was written that nobody gets.
import { Notice } from '../../ui/layout.tsx';

export function NoMailServer() {
  return (
    <Notice tone="warn">
      No mail server is set, so nobody gets this mail. Whoever runs the service finds it as a file in{' '}
      <code>DATA_DIR/outbox</code>, and sets <code>SMTP_URL</code>.
    </Notice>
  );
}
